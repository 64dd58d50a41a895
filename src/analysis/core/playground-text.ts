/**
 * The C of an access: the expression, `BPF_CORE_READ`, and for each kind of relocation the macro of
 * libbpf's `bpf_core_read.h` and its builtin of clang. Raw names in all texts.
 *
 * Source: "BPF LLVM Relocations", "CO-RE Relocations", and the kernel's
 * tools/lib/bpf/bpf_core_read.h.
 */
import { typeExpression } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { CORE_KINDS, type CoreKindGroup } from './core-kinds.ts';
import type { AccessPath } from './parse-spec.ts';

export type KindText = {
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  /** libbpf's macro; null where it has none. */
  readonly macro: string | null;
  readonly builtin: string;
};

/** The name of a variable in the texts. */
const VARIABLE = 'p';

/** The kinds that ask something of a field, a type or an enumerator, in the order of their numbers. */
export function kindsOf(group: CoreKindGroup): number[] {
  return CORE_KINDS.filter((kind) => kind.group === group).map((kind) => kind.number);
}

/** `struct foo *p;` */
export function declarationOf(t: TypeTable, root: TypeId): string {
  return `${typeExpression(t, root)} *${VARIABLE};`;
}

/** `p->mm->pgd`, of all accesses; null where an anonymous member ends it, which C cannot name. */
export function expressionOf(paths: readonly AccessPath[]): string | null {
  let text = VARIABLE;
  for (const path of paths) {
    const field = fieldText(path);
    if (field === null) return null;
    const index = path.steps[0]?.index ?? 0;
    if (index > 0)
      text = `${text}[${index}]${field === '' || field.startsWith('[') ? '' : '.'}${field}`;
    else if (field === '') text = `*${text}`;
    else text = field.startsWith('[') ? `(*${text})${field}` : `${text}->${field}`;
  }
  return text;
}

/** `BPF_CORE_READ(p, mm, pgd)`; null where the last access names no field, or a bit-field, which it cannot read. */
export function coreReadOf(paths: readonly AccessPath[]): string | null {
  const fields = paths.map(fieldText);
  const last = paths.at(-1);
  if (last === undefined || last.error !== null || last.bitfieldSize > 0) return null;
  // Behind the first access the macro has no place for an element of a pointer.
  if (paths.slice(1).some((path) => (path.steps[0]?.index ?? 0) > 0)) return null;
  if (fields.some((field) => field === null || field === '' || field.startsWith('['))) return null;
  const index = paths[0]?.steps[0]?.index ?? 0;
  const source = index === 0 ? VARIABLE : `${VARIABLE} + ${index}`;
  return `BPF_CORE_READ(${[source, ...fields].join(', ')})`;
}

/** `BPF_CORE_READ_BITFIELD_PROBED(p, flag)` for a bit-field, else null. */
export function bitfieldReadOf(path: AccessPath): string | null {
  const field = fieldText(path);
  if (path.error !== null || path.bitfieldSize === 0 || field === null) return null;
  const index = path.steps[0]?.index ?? 0;
  const source = index === 0 ? VARIABLE : `(${VARIABLE} + ${index})`;
  return `BPF_CORE_READ_BITFIELD_PROBED(${source}, ${field})`;
}

/** Returns the C macros that read each kind of the group of an access; empty where C cannot name the access. */
export function kindTexts(t: TypeTable, path: AccessPath, group: CoreKindGroup): KindText[] {
  const type = typeExpression(t, path.root);
  if (type.includes('{')) return [];
  const expression = expressionOf([path]);
  const enumerator = path.steps[0]?.name ?? '';
  if (group === 'field' && (expression === null || path.steps.length < 2)) return [];
  if (group === 'enum' && (enumerator === '' || path.error !== null)) return [];
  return kindsOf(group).map((kind) => {
    const of = group === 'field' ? (expression ?? '') : type;
    const { macro, builtin } = WRITTEN[kind]?.(of, enumerator) ?? { macro: null, builtin: '' };
    return { kind, macro, builtin };
  });
}

type Written = (of: string, enumerator: string) => Pick<KindText, 'macro' | 'builtin'>;

const field = (macro: string | null, what: string): Written => {
  return (of) => ({
    macro: macro === null ? null : `bpf_core_field_${macro}(${of})`,
    builtin: `__builtin_preserve_field_info(${of}, BPF_FIELD_${what})`,
  });
};
const type = (macro: string, what: string): Written => {
  return (of) => ({
    macro: `bpf_core_type_${macro}(${of})`,
    builtin: `__builtin_preserve_type_info(*(${of} *)0, BPF_TYPE_${what})`,
  });
};
const typeIdOf = (macro: string, what: string): Written => {
  return (of) => ({
    macro: `bpf_core_type_id_${macro}(${of})`,
    builtin: `__builtin_btf_type_id(*(${of} *)0, BPF_TYPE_ID_${what})`,
  });
};
const enumerated = (macro: string, what: string): Written => {
  return (of, enumerator) => ({
    macro: `bpf_core_enum_value${macro}(${of}, ${enumerator})`,
    builtin: `__builtin_preserve_enum_value(*(${of} *)${enumerator}, BPF_ENUMVAL_${what})`,
  });
};

/** By kind number. */
const WRITTEN: readonly Written[] = [
  field('offset', 'BYTE_OFFSET'),
  field('size', 'BYTE_SIZE'),
  field('exists', 'EXISTS'),
  field(null, 'SIGNED'),
  field(null, 'LSHIFT_U64'),
  field(null, 'RSHIFT_U64'),
  typeIdOf('local', 'LOCAL'),
  typeIdOf('kernel', 'TARGET'),
  type('exists', 'EXISTS'),
  type('size', 'SIZE'),
  enumerated('_exists', 'EXISTS'),
  enumerated('', 'VALUE'),
  type('matches', 'MATCHES'),
];

/** Returns the members after the pointer, `a.b[2]`; null where an anonymous member is the last. */
function fieldText({ steps }: AccessPath): string | null {
  let text = '';
  for (const step of steps.slice(1)) {
    if (step.means === 'array-element') text += `[${step.index}]`;
    else if (step.name !== '') text += text === '' ? step.name : `.${step.name}`;
  }
  return steps.length > 1 && steps.at(-1)?.means === 'anonymous-member' ? null : text;
}
