/** Suggests C source changes for programs that some kernels reject; a check confirms each. */
import { lineAt, type SourceLine } from '#analysis/code/source-lines.ts';
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import { type CoreObject, recordsOf } from '#analysis/core/core-records.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { helperName, missingHelper } from '#analysis/kernel/kernel-enums.ts';
import { otherMachine } from '#analysis/kernel/machine.ts';
import type { Extern } from '#analysis/libbpf/externs.ts';
import { hasImplicitArg } from '#analysis/libbpf/kfunc-difference.ts';
import { judgeLoad, type LoadedProgram } from '#analysis/libbpf/load.ts';
import type { LoadObject, LoadProgram } from '#analysis/libbpf/open.ts';
import type { Reason, SourcePlace } from '#analysis/libbpf/outcome.ts';
import { lineOfRecord } from '#analysis/libbpf/record-line.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { declaratorText, isSpellable } from '#analysis/types/declarator.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { nameOf } from '#model/type-table.ts';
import { type Flavour, flavourOf, MAX_DECLARATION } from './flavour-remedy.ts';
import { type NearFunction, nearFunctions } from './near-functions.ts';
import { guardedLine, type Hunk, lineHunk, unifiedDiff } from './source-diff.ts';
import { callbackChanges } from './struct-ops-remedy.ts';

export type Remedy = {
  /** `near`: no change but a function with a similar name, whose prototype is to be compared. */
  readonly kind: 'fix' | 'near';
  /** The change as the start of a sentence; names are raw text. */
  readonly title: string;
  /** C code to copy; names are raw text. */
  readonly code: string;
  /** The change of the source as a unified diff, with raw names; null if its lines are unknown. */
  readonly diff: string | null;
  /** Number of `kernels` on which the change removes the reason, or that have the near function. */
  readonly works: number;
  readonly kernels: number;
  /** Number of `kernels` whose modules are not open and may have the target; by default 0. */
  readonly inModules?: number;
};

/** What remedies need of a reason. */
export type RemedyReason = Pick<Reason, 'about' | 'source'>;

/** Returns the remedies for a reason. `mayBeOthers`: there may be kernels besides `kernels`. */
export function remedies(
  object: LoadObject,
  kernels: readonly LoadKernel[],
  { about, source }: RemedyReason,
  mayBeOthers = false,
): readonly Remedy[] {
  if (about === undefined) return [];
  switch (about.of) {
    case 'record':
      return recordRemedies(object, kernels, about.record);
    case 'extern':
      return thatWork(ofExtern(object, kernels, about.name));
    case 'helper':
      return thatWork(ofHelper(object, kernels, about.helper, source));
    case 'callback':
      return thatWork(
        callbackChanges(object, about.map, about.member).map(({ title, lines, works }) =>
          remedy(title, lines, kernels, works),
        ),
      );
    default:
      return thatWork(ofTarget(object, kernels, about.program, mayBeOthers));
  }
}

/** Returns the remedies for CO-RE record `row`. */
export function recordRemedies(
  { core, model }: RecordObject,
  kernels: readonly LoadKernel[],
  row: number,
): readonly Remedy[] {
  return core === null ? [] : thatWork(ofRecord(core, model, kernels, row));
}

/** What remedies of records need of an object; without `model` they have no diff. */
type RecordObject = {
  readonly core: CoreObject | null;
  readonly model: ObjectModel | null;
};

function thatWork(candidates: readonly Remedy[]): readonly Remedy[] {
  return candidates
    .filter(({ works, code }) => works > 0 && !code.includes('…'))
    .toSorted(bestFirst);
}

function bestFirst(a: Remedy, b: Remedy): number {
  return Number(a.kind === 'near') - Number(b.kind === 'near') || b.works - a.works;
}

/** Merges equal remedies of several kernels. Those that work on the most kernels come first. */
export function mergedRemedies(
  answers: readonly (readonly Remedy[])[],
  kernels: number,
): readonly Remedy[] {
  const shared = new Map<string, Remedy>();
  for (const remedy of answers.flat()) {
    const old = shared.get(remedy.code);
    const works = remedy.works + (old?.works ?? 0);
    const inModules = (remedy.inModules ?? 0) + (old?.inModules ?? 0);
    shared.set(remedy.code, { ...remedy, works, kernels, ...moduleCount(inModules) });
  }
  return [...shared.values()].toSorted(bestFirst);
}

function moduleCount(inModules: number): Pick<Remedy, 'inModules'> {
  return inModules === 0 ? {} : { inModules };
}

function remedy(
  title: string,
  lines: readonly string[],
  kernels: readonly LoadKernel[],
  works: (kernel: LoadKernel) => boolean,
  hunks: readonly (Hunk | null)[] = [],
): Remedy {
  const code = lines.join('\n');
  const known = hunks.filter((hunk) => hunk !== null);
  const diff = known.length === 0 || known.length < hunks.length ? null : unifiedDiff(known);
  const counts = { works: kernels.filter(works).length, kernels: kernels.length };
  return { kind: 'fix', title, code, diff, ...counts };
}

function guarded(condition: string, lines: readonly string[]): string[] {
  return [`if (${condition}) {`, ...lines.map((line) => `    ${line}`), '}'];
}

function ofRecord(
  core: CoreObject,
  model: ObjectModel | null,
  kernels: readonly LoadKernel[],
  row: number,
): readonly Remedy[] {
  const record = core.records.find(({ index }) => index === row);
  if (record === undefined) return [];
  const { types } = core;
  const path = walkAccess(types, record.root, record.accessStr, record.kind);
  const root = declaratorText(types, record.root, '', MAX_DECLARATION);
  const last = path.steps.at(-1);
  if (path.error !== null || last === undefined || !isSpellable(nameOf(types, record.root))) {
    return [];
  }
  const single = recordsOf(core, ({ index }) => index === row);
  const answers = new Map(
    kernels.map((kernel) => {
      const target = targetOfKernel(kernel);
      return [kernel, target === null ? null : resolveObject(single, target)[0]] as const;
    }),
  );
  const isResolved = (kernel: LoadKernel) => answers.get(kernel)?.status === 'ok';
  // Guarded, a program for registers of another machine would load there and do nothing.
  if (kernels.some((kernel) => otherMachine(types, record, kernel) !== null)) return [];
  // An existence check works on a kernel without the target: the check gives 0.
  const isGuardable = (kernel: LoadKernel) =>
    isResolved(kernel) || answers.get(kernel)?.status === 'poisoned';
  const group = CORE_KINDS[record.kind]?.group;
  const field = fieldPath(path);
  const [condition, what] =
    group === 'enum'
      ? [`bpf_core_enum_value_exists(${root}, ${last.name})`, last.name]
      : group === 'type' || field === ''
        ? [`bpf_core_type_exists(${root})`, root]
        : [`bpf_core_field_exists(${root}, ${field})`, `${root}.${field}`];
  const source = model === null ? null : lineOfRecord(model, row);
  const change = (otherwise?: Flavour['inFlavour']) =>
    source === null ? null : lineHunk(source, guardedLine(source.text, condition, otherwise));
  const guard = remedy(
    `guard what uses ${what}`,
    guarded(condition, [`/* what uses ${what} */`]),
    kernels,
    isGuardable,
    [change()],
  );
  const flavour =
    group !== 'field'
      ? null
      : flavourOf(
          types,
          record,
          path,
          kernels.filter((kernel) => !isResolved(kernel)),
        );
  if (flavour === null) return [guard];
  // On a kernel with the member at its old path, the code that reads the flavour is dead, but
  // libbpf must be able to resolve its record.
  const reads = remedy(
    `read ${flavour.text} on other kernels, by a flavour`,
    [...flavour.declaration, '', ...flavour.use],
    kernels,
    (kernel) => {
      const result = flavour.on(kernel);
      return result === 'read' || (result === 'missing' && isResolved(kernel));
    },
    [
      model === null
        ? null
        : beforeFunction(
            model,
            model.ext.core.section[record.index] ?? -1,
            record.insnOff,
            flavour.declaration,
          ),
      change(flavour.inFlavour),
    ],
  );
  return [reads, guard];
}

/** Returns a hunk that puts lines before the function of an instruction, and before its SEC. */
function beforeFunction(
  model: ObjectModel,
  section: number,
  insnOff: number,
  lines: readonly string[],
): Hunk | null {
  const func = section < 0 ? null : functionAt(model, sectionIndex(section), insnOff);
  const first = func === null ? null : lineAt(model, func.section, func.start);
  if (func === null || first === null) return null;
  const { file, line, text } = first;
  const name = sectionName(model.sections, func.section);
  const isAlone = name !== '.text' && !text.includes('SEC(');
  const before = isAlone ? `SEC("${name}")` : text;
  return { file, line: isAlone ? line - 1 : line, before: [before], after: [...lines, '', before] };
}

/** Returns the path for the second argument of `bpf_core_field_exists`; may be empty. */
function fieldPath({ steps }: AccessPath): string {
  return steps
    .slice(1)
    .filter(({ name, means }) => name !== '' || means === 'array-element')
    .map(({ name, means, index }, at) =>
      means === 'array-element' ? `[${index}]` : `${at === 0 ? '' : '.'}${name}`,
    )
    .join('');
}

function ofExtern(
  object: LoadObject,
  kernels: readonly LoadKernel[],
  name: string,
): readonly Remedy[] {
  const extern = object.externs.find((row) => row.name === name);
  const { types } = object.model;
  if (extern === undefined || types === null) return [];
  const weak: LoadObject = {
    ...object,
    externs: object.externs.map((row) => (row === extern ? { ...row, weak: true } : row)),
  };
  const works = (kernel: LoadKernel) => {
    // A weak extern would hide the fault of the kernel's BTF: the kfunc is never called.
    if (hasImplicitArg(name, kernel)) return false;
    const judged = judgeLoad(weak, kernel).externs.find((row) => row.extern.name === name);
    return judged !== undefined && judged.result !== 'error';
  };
  const { kind, type } = extern;
  const section = kind === 'kcfg' ? '__kconfig' : '__ksym';
  const prefix = kind === 'func ksym' || kind === 'kcfg' ? '' : 'const ';
  const declared = `extern ${prefix}${declaratorText(types, type, name, MAX_DECLARATION)} ${section}`;
  const condition = kind === 'kcfg' ? name : `bpf_ksym_exists(${name})`;
  const lines = [`${declared} __weak;`, '', ...guarded(condition, [`/* what uses ${name} */`])];
  const places = placesThatUse(object, extern);
  const uses = linesOf(object.model, places);
  const hunks = uses.map((use) => lineHunk(use, guardedLine(use.text, condition)));
  // The object does not tell the line of the declaration: a second one makes the extern weak.
  const declaration = places
    .slice(0, 1)
    .map(({ section, insnOff }) =>
      beforeFunction(object.model, section, insnOff, [`${declared} __weak;`]),
    );
  const change = [...declaration, ...hunks];
  return [remedy(`declare ${name} as weak, and check it`, lines, kernels, works, change)];
}

/** Maximum number of lines that a diff changes. */
const MAX_LINES = 20;

/** Returns the places of the instructions that refer to an extern. */
function placesThatUse({ model }: LoadObject, { symbol }: Extern): readonly InsnPlace[] {
  const { relocations, sections } = model;
  const places: InsnPlace[] = [];
  for (let row = 0; row < relocations.count; row++) {
    const section = sectionIndex(relocations.targetSection[row] ?? 0);
    if (relocations.symbol[row] !== symbol || !isCode(sections, section)) continue;
    places.push({ section, insnOff: Number(relocations.offset[row] ?? 0n) });
  }
  return places.sort((a, b) => a.section - b.section || a.insnOff - b.insnOff);
}

/** Returns the source lines of places, each line once; none if there are too many to change. */
function linesOf(model: ObjectModel, places: readonly InsnPlace[]): readonly SourceLine[] {
  const lines = new Map<string, SourceLine>();
  for (const { section, insnOff } of places) {
    const line = lineAt(model, section, insnOff);
    if (line !== null) lines.set(`${line.file}:${line.line}`, line);
    if (lines.size > MAX_LINES) return [];
  }
  return [...lines.values()];
}

function ofHelper(
  { model }: LoadObject,
  kernels: readonly LoadKernel[],
  helper: number,
  source: SourcePlace | null,
): readonly Remedy[] {
  const name = [model.types, ...kernels.map(({ vmlinux }) => vmlinux)]
    .map((types) => (types === null ? null : helperName(types, helper)))
    .find((text) => text !== null);
  if (name === undefined || name === null) return [];
  const condition = `bpf_core_enum_value_exists(enum bpf_func_id, ${name})`;
  const lines = guarded(condition, [`/* the call of ${name.replace('BPF_FUNC_', 'bpf_')} */`]);
  // The check also gives 0 if the kernel's BTF lacks the whole enum.
  const works = (kernel: LoadKernel) => kernel.vmlinux !== null;
  const isMissing = kernels.some((kernel) => missingHelper(kernel, null, helper) !== null);
  const hunk = source === null ? null : lineHunk(source, guardedLine(source.text, condition));
  return isMissing ? [remedy(`guard the call of ${name}`, lines, kernels, works, [hunk])] : [];
}

function ofTarget(
  object: LoadObject,
  kernels: readonly LoadKernel[],
  name: string,
  mayBeOthers: boolean,
): readonly Remedy[] {
  const program = object.programs.find((row) => row.name === name);
  if (program === undefined) return [];
  const { section, kind } = program;
  const optional = changed(object, program, { autoload: false });
  const loadsWithout = (kernel: LoadKernel) =>
    judgeLoad(optional, kernel).programs.every(
      ({ program: { func }, autoload }) => func !== program.func || !autoload,
    );
  const lines = [
    `SEC("?${section}")`,
    '',
    '/* in the loader, where the kernel has the target: */',
    `bpf_program__set_autoload(skel->progs.${name}, true);`,
  ];
  const change = [sectionHunk(object, program, [`SEC("?${section}")`])];
  const targetOn = (at: string) => {
    const moved = changed(object, program, { section: at });
    return (kernel: LoadKernel) =>
      targetState(judgeLoad(moved, kernel).programs.find((row) => row.program.name === name));
  };
  const isLoaded = (at: string) => {
    const target = targetOn(at);
    return (kernel: LoadKernel) => target(kernel) === 'there';
  };
  const hasOwn = isLoaded(section);
  const own = targetOn(section);
  const inModules = kernels.filter((kernel) => own(kernel) === 'undecided').length;
  const last = {
    ...remedy(`load ${name} only where its target exists`, lines, kernels, loadsWithout, change),
    ...moduleCount(inModules),
  };
  // If no kernel has the name, the name may be wrong: suggest nothing.
  const lastly = mayBeOthers || kernels.some(hasOwn) ? [last] : [];
  const target = section.slice(section.indexOf('/') + 1);
  if (!/^(?:fentry|fexit|fmod_ret|fsession)(?:\.s)?$/.test(kind) || !section.includes('/')) {
    return lastly;
  }
  const { wanted, near } = nearFunctions(target.slice(target.indexOf(':') + 1), kernels);
  const others = near.map((other) => {
    const at = `${kind}/${other.name}`;
    const hasOther = isLoaded(at);
    if (!other.isSame) return nearRemedy(other, wanted, kernels.filter(hasOther).length, kernels);
    if (!mayBeOthers && kernels.every(hasOther)) {
      return remedy(`attach ${name} to ${other.name}`, [`SEC("${at}")`], kernels, hasOther);
    }
    const both = [
      `SEC("?${section}") /* ${name}, where the kernel has ${target} */`,
      `SEC("?${at}") /* the same, where it has ${other.name} */`,
    ];
    const works = (kernel: LoadKernel) => hasOwn(kernel) || hasOther(kernel);
    return remedy(`attach ${name} to ${target} or to ${other.name}`, both, kernels, works);
  });
  return [...others, ...lastly];
}

/** Returns whether a kernel has the target of a program; undecided if a module may have it. */
function targetState(
  judged: Pick<LoadedProgram, 'failure' | 'reasons'> | undefined,
): 'there' | 'missing' | 'undecided' {
  if (judged === undefined) return 'missing';
  const { failure, reasons } = judged;
  const isOpen = reasons.some(
    ({ about, dependsOn }) => about?.of === 'target' && dependsOn === 'modules',
  );
  if (isOpen) return 'undecided';
  const isRefused = reasons.some(
    ({ step, outcome }) => step === 'attach' && outcome === 'rejected',
  );
  return failure !== null || isRefused ? 'missing' : 'there';
}

/** Returns the prototype of a function with a similar name beside that of the wanted function. */
function nearRemedy(
  { name, prototype }: NearFunction,
  wanted: string | null,
  works: number,
  { length }: readonly LoadKernel[],
): Remedy {
  const lines = wanted === null ? [] : [`/* the program's target */`, `${wanted};`];
  const code = [...lines, '/* near name */', `${prototype};`].join('\n');
  return { kind: 'near', title: name, code, diff: null, works, kernels: length };
}

/** Returns a hunk that replaces the SEC of a program. */
function sectionHunk(
  { model }: LoadObject,
  { func, load }: LoadProgram,
  after: readonly string[],
): Hunk | null {
  const first = lineAt(model, func.section, func.start);
  if (first === null) return null;
  const { file, line, text } = first;
  const before = `SEC("${load.sectionName}")`;
  return text.includes(before)
    ? { file, line, before: [text], after: [text.replace(before, () => after.join('\n'))] }
    : { file, line: line - 1, before: [before], after };
}

/** Returns the object with one program replaced by a changed copy. */
function changed(
  object: LoadObject,
  program: LoadProgram,
  change: Partial<LoadProgram>,
): LoadObject {
  const programs = object.programs.map((row) => (row === program ? { ...row, ...change } : row));
  return { ...object, programs };
}
