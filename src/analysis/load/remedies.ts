/**
 * What to change in the C source where a program does not load on all kernels: as code to copy,
 * each with the number of kernels on which it was checked to get past the reason.
 */
import { CORE_KINDS } from '#analysis/core/core-kinds.ts';
import { type CoreObjectRecord, recordsOf } from '#analysis/core/core-records.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { declaratorText, isSpellable } from '#analysis/types/declarator.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { Extern } from './externs.ts';
import { findByNameKind, type LoadKernel } from './kernel.ts';
import { helperName, missingHelper } from './kernel-enums.ts';
import { judgeLoad } from './load.ts';
import type { LoadObject, LoadProgram } from './load-object.ts';
import { nearFunctions } from './near-functions.ts';
import type { Reason } from './program-code.ts';

export type Remedy = {
  /** What to do, as the beginning of a sentence. Raw names. */
  readonly title: string;
  /** C to copy. Raw names. */
  readonly code: string;
  /** Kernels on which the object gets past the reason with it, out of `kernels`. */
  readonly works: number;
  readonly kernels: number;
};

/**
 * The remedies for a reason, the one that works on most kernels first; none where there is nothing
 * to write. `mayBeOthers`: there are kernels beside these, which may have what these lack.
 */
export function remedies(
  object: LoadObject,
  kernels: readonly LoadKernel[],
  { about }: Pick<Reason, 'about'>,
  mayBeOthers = false,
): readonly Remedy[] {
  if (about === undefined) return [];
  const found =
    about.of === 'record'
      ? ofRecord(object, kernels, about.record)
      : about.of === 'extern'
        ? ofExtern(object, kernels, about.name)
        : about.of === 'helper'
          ? ofHelper(object, kernels, about.helper)
          : ofTarget(object, kernels, about.program, mayBeOthers);
  return found
    .filter(({ works, code }) => works > 0 && !code.includes('…'))
    .toSorted((a, b) => b.works - a.works);
}

const LONGEST = 400;

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
  { core }: LoadObject,
  kernels: readonly LoadKernel[],
  row: number,
): readonly Remedy[] {
  const record = core?.records.find(({ index }) => index === row);
  if (core === null || record === undefined) return [];
  const { types } = core;
  const path = walkAccess(types, record.root, record.accessStr, record.kind);
  const root = declaratorText(types, record.root, '', LONGEST);
  const last = path.steps.at(-1);
  if (path.error !== null || last === undefined || !isSpellable(nameOf(types, record.root))) {
    return [];
  }
  const one = recordsOf(core, ({ index }) => index === row);
  const answers = new Map(
    kernels.map((kernel) => {
      const tables = kernel.vmlinux === null ? [] : [{ name: 'vmlinux', types: kernel.vmlinux }];
      const target = { name: kernel.name, tables: [...tables, ...(kernel.modules ?? [])] };
      return [kernel, tables.length === 0 ? null : resolveObject(one, target)[0]] as const;
    }),
  );
  const isResolved = (kernel: LoadKernel) => answers.get(kernel)?.status === 'ok';
  // A check of existence is 0 where the record is poisoned.
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
  const flavour = group === 'field' ? flavourOf(types, record, path, kernels, isResolved) : null;
  return flavour === null ? [guard] : [guard, flavour];
}

/** The members on the path, as the second argument of `bpf_core_field_exists`; empty where there is none. */
function fieldPath({ steps }: AccessPath): string {
  return steps
    .slice(1)
    .filter(({ name, means }) => name !== '' || means === 'array-element')
    .map(({ name, means, index }, at) =>
      means === 'array-element' ? `[${index}]` : `${at === 0 ? '' : '.'}${name}`,
    )
    .join('');
}

/** Members of a struct and of the structs in it: more are not looked at. */
const MOST_MEMBERS = 4000;

type Place = { readonly path: readonly string[]; readonly type: string };

/** A flavour of the struct for kernels that have the member under another name or in a struct of its own. */
function flavourOf(
  types: TypeTable,
  record: CoreObjectRecord,
  path: AccessPath,
  kernels: readonly LoadKernel[],
  isResolved: (kernel: LoadKernel) => boolean,
): Remedy | null {
  const wanted = path.steps.at(-1)?.name ?? '';
  const name = essentialName(nameOf(types, record.root));
  const isStruct = kindOf(types, skipModifiers(types, record.root)) === BtfKind.STRUCT;
  if (wanted === '' || !isStruct || path.steps.length !== 2) return null;
  const places = new Map(
    kernels
      .filter((kernel) => !isResolved(kernel))
      .map((kernel) => [kernel, kernel.vmlinux && otherPlace(kernel.vmlinux, name, wanted)]),
  );
  const [place] = [...places.values()].filter((one) => one !== null);
  if (place === undefined) return null;
  const text = place.path.join('.');
  const flavour = `${name}___other`;
  const [outer, ...inner] = place.path;
  const declared =
    inner.length === 0
      ? [`    ${place.type};`]
      : ['    struct {', `        ${place.type};`, `    } ${outer};`];
  const root = declaratorText(types, record.root, '', LONGEST);
  const lines = [
    `struct ${flavour} {`,
    ...declared,
    '} __attribute__((preserve_access_index));',
    '',
    `if (bpf_core_field_exists(${root}, ${wanted}))`,
    `    value = BPF_CORE_READ(p, ${wanted});`,
    'else',
    `    value = BPF_CORE_READ((struct ${flavour} *)p, ${text});`,
  ];
  const works = (kernel: LoadKernel) =>
    isResolved(kernel) || places.get(kernel)?.path.join('.') === text;
  return remedy(`read ${text} on other kernels, by a flavour`, lines, kernels, works);
}

/** Where a kernel has a member of that name, or of the same letters, in the struct or one in it. */
function otherPlace(t: TypeTable, struct: string, wanted: string): Place | null {
  const root = findByNameKind(t, BtfKind.STRUCT, struct);
  if (root === null) return null;
  const plain = (name: string) => name.replaceAll('_', '');
  const found = (name: string, deep: boolean) =>
    deep ? name === wanted : plain(name) === plain(wanted) && name !== '';
  const outer = membersOf(t, root);
  const near = outer.find(({ name }) => found(name, false));
  if (near !== undefined) {
    const type = declaratorText(t, near.type, near.name, LONGEST);
    return near.bitfieldSize !== 0 ? null : { path: [near.name], type };
  }
  let left = MOST_MEMBERS;
  for (const member of outer) {
    const of = skipModifiers(t, member.type);
    if (member.name === '' || kindOf(t, of) !== BtfKind.STRUCT) continue;
    const members = membersOf(t, of);
    left -= members.length;
    if (left < 0) return null;
    const inner = members.find(({ name }) => found(name, true));
    if (inner === undefined || inner.bitfieldSize !== 0) continue;
    const type = declaratorText(t, inner.type, inner.name, LONGEST);
    return { path: [member.name, inner.name], type };
  }
  return null;
}

function ofExtern(
  object: LoadObject,
  kernels: readonly LoadKernel[],
  name: string,
): readonly Remedy[] {
  const extern = object.externs.find((one) => one.name === name);
  const { types } = object.model;
  if (extern === undefined || types === null) return [];
  const weak: LoadObject = {
    ...object,
    externs: object.externs.map((one) => (one === extern ? { ...one, weak: true } : one)),
  };
  const works = (kernel: LoadKernel) => {
    const found = judgeLoad(weak, kernel).externs.find((one) => one.extern.name === name);
    return found !== undefined && found.result !== 'error';
  };
  const lines = weakLines(types, extern);
  return [remedy(`declare ${name} as weak, and check it`, lines, kernels, works)];
}

function weakLines(t: TypeTable, extern: Extern): string[] {
  const { name, kind, type } = extern;
  const section = kind === 'kcfg' ? '__kconfig' : '__ksym';
  const prefix = kind === 'func ksym' || kind === 'kcfg' ? '' : 'const ';
  const declared = declaratorText(t, type, name, LONGEST);
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
    .find((one) => one !== null);
  if (name === undefined || name === null) return [];
  const condition = `bpf_core_enum_value_exists(enum bpf_func_id, ${name})`;
  const lines = guarded(condition, [`/* the call of ${name.replace('BPF_FUNC_', 'bpf_')} */`]);
  // Where the enum is not in the kernel's BTF the check is 0, too.
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
  const program = object.programs.find((one) => one.name === name);
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
      const judged = judgeLoad(moved, kernel).programs.find((one) => one.program.name === name);
      return judged !== undefined && judged.failure === null;
    };
  };
  const hasOwn = isLoaded(section);
  // Where no kernel has it, the name may be wrong.
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

/** The object with one program changed. */
function changed(
  object: LoadObject,
  program: LoadProgram,
  change: Partial<LoadProgram>,
): LoadObject {
  const programs = object.programs.map((one) => (one === program ? { ...one, ...change } : one));
  return { ...object, programs };
}
