/** Suggests C source changes for programs that some kernels reject; a check confirms each. */
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import { type CoreObject, recordsOf } from '#analysis/core/core-records.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { helperName, missingHelper } from '#analysis/kernel/kernel-enums.ts';
import type { Extern } from '#analysis/libbpf/externs.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import type { LoadObject, LoadProgram } from '#analysis/libbpf/open.ts';
import type { Reason } from '#analysis/libbpf/outcome.ts';
import { declaratorText, isSpellable } from '#analysis/types/declarator.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { flavourOf, MAX_DECLARATION } from './flavour-remedy.ts';
import { nearFunctions } from './near-functions.ts';

export type Remedy = {
  /** The change as the start of a sentence; names are raw text. */
  readonly title: string;
  /** C code to copy; names are raw text. */
  readonly code: string;
  /** Number of `kernels` on which the change removes the reason. */
  readonly works: number;
  readonly kernels: number;
};

/** Returns the remedies for a reason. `mayBeOthers`: there may be kernels besides `kernels`. */
export function remedies(
  object: LoadObject,
  kernels: readonly LoadKernel[],
  { about }: Pick<Reason, 'about'>,
  mayBeOthers = false,
): readonly Remedy[] {
  if (about === undefined) return [];
  switch (about.of) {
    case 'record':
      return object.core === null ? [] : recordRemedies(object.core, kernels, about.record);
    case 'extern':
      return thatWork(ofExtern(object, kernels, about.name));
    case 'helper':
      return thatWork(ofHelper(object, kernels, about.helper));
    default:
      return thatWork(ofTarget(object, kernels, about.program, mayBeOthers));
  }
}

/** Returns the remedies for CO-RE record `row`. */
export function recordRemedies(
  core: CoreObject,
  kernels: readonly LoadKernel[],
  row: number,
): readonly Remedy[] {
  return thatWork(ofRecord(core, kernels, row));
}

function thatWork(candidates: readonly Remedy[]): readonly Remedy[] {
  return candidates
    .filter(({ works, code }) => works > 0 && !code.includes('…'))
    .toSorted((a, b) => b.works - a.works);
}

/** Merges equal remedies of several kernels. Those that work on the most kernels come first. */
export function mergedRemedies(
  answers: readonly (readonly Remedy[])[],
  kernels: number,
): readonly Remedy[] {
  const shared = new Map<string, Remedy>();
  for (const remedy of answers.flat()) {
    const works = remedy.works + (shared.get(remedy.code)?.works ?? 0);
    shared.set(remedy.code, { ...remedy, works, kernels });
  }
  return [...shared.values()].toSorted((a, b) => b.works - a.works);
}

function remedy(
  title: string,
  lines: readonly string[],
  kernels: readonly LoadKernel[],
  works: (kernel: LoadKernel) => boolean,
): Remedy {
  const code = lines.join('\n');
  return { title, code, works: kernels.filter(works).length, kernels: kernels.length };
}

function guarded(condition: string, lines: readonly string[]): string[] {
  return [`if (${condition}) {`, ...lines.map((line) => `    ${line}`), '}'];
}

function ofRecord(
  core: CoreObject,
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
  const guard = remedy(
    `guard what uses ${what}`,
    guarded(condition, [`/* what uses ${what} */`]),
    kernels,
    isGuardable,
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
    flavour.lines,
    kernels,
    (kernel) => {
      const result = flavour.on(kernel);
      return result === 'read' || (result === 'missing' && isResolved(kernel));
    },
  );
  return [guard, reads];
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
    const judged = judgeLoad(weak, kernel).externs.find((row) => row.extern.name === name);
    return judged !== undefined && judged.result !== 'error';
  };
  const lines = weakLines(types, extern);
  return [remedy(`declare ${name} as weak, and check it`, lines, kernels, works)];
}

function weakLines(t: TypeTable, extern: Extern): string[] {
  const { name, kind, type } = extern;
  const section = kind === 'kcfg' ? '__kconfig' : '__ksym';
  const prefix = kind === 'func ksym' || kind === 'kcfg' ? '' : 'const ';
  const declared = declaratorText(t, type, name, MAX_DECLARATION);
  const condition = kind === 'kcfg' ? name : `bpf_ksym_exists(${name})`;
  return [
    `extern ${prefix}${declared} ${section} __weak;`,
    '',
    ...guarded(condition, [`/* what uses ${name} */`]),
  ];
}

function ofHelper(
  { model }: LoadObject,
  kernels: readonly LoadKernel[],
  helper: number,
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
  return isMissing ? [remedy(`guard the call of ${name}`, lines, kernels, works)] : [];
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
  const last = remedy(`load ${name} only where its target exists`, lines, kernels, loadsWithout);
  const isLoaded = (at: string) => {
    const moved = changed(object, program, { section: at });
    return (kernel: LoadKernel) => {
      const judged = judgeLoad(moved, kernel).programs.find((row) => row.program.name === name);
      return judged !== undefined && judged.failure === null;
    };
  };
  const hasOwn = isLoaded(section);
  // If no kernel has the name, the name may be wrong: suggest nothing.
  const lastly = mayBeOthers || kernels.some(hasOwn) ? [last] : [];
  const target = section.slice(section.indexOf('/') + 1);
  if (!/^(?:fentry|fexit|fmod_ret|fsession)(?:\.s)?$/.test(kind) || !section.includes('/')) {
    return lastly;
  }
  const near = nearFunctions(target.slice(target.indexOf(':') + 1), kernels).map((other) => {
    const at = `${kind}/${other}`;
    const hasOther = isLoaded(at);
    if (!mayBeOthers && kernels.every(hasOther)) {
      return remedy(`attach ${name} to ${other}`, [`SEC("${at}")`], kernels, hasOther);
    }
    const both = [
      `SEC("?${section}") /* ${name}, where the kernel has ${target} */`,
      `SEC("?${at}") /* the same, where it has ${other} */`,
    ];
    const works = (kernel: LoadKernel) => hasOwn(kernel) || hasOther(kernel);
    return remedy(`attach ${name} to ${target} or to ${other}`, both, kernels, works);
  });
  return [...near, ...lastly];
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
