/**
 * Builds CO-RE accesses step by step, with access strings and C code. A CO-RE record ends at a
 * pointer, so a path through pointers needs several accesses. Names are not escaped.
 */
import { typeExpression } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, memberCount } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { CORE_KINDS, type CoreKindGroup } from './core-kinds.ts';
import { type AccessPath, walkAccess } from './parse-spec.ts';

/** `byte_off` and `enumval_value`: their rules decide which steps are possible. */
const FIELD_KIND = 0;
const ENUM_KIND = 11;

/** Access of one CO-RE record: root type and access string. */
export type Access = { readonly root: TypeId; readonly accessStr: string };

/** Possible next steps of a path. */
export type Onward =
  /** Members of a struct or union. */
  | { readonly kind: 'members'; readonly container: TypeId; readonly count: number }
  /** Elements of an array. `count` is null for a flexible array. */
  | { readonly kind: 'elements'; readonly elemType: TypeId; readonly count: number | null }
  /** Pointer to a struct or union with members; from there, another access is needed. */
  | { readonly kind: 'pointer'; readonly to: TypeId }
  | { readonly kind: 'enumerators'; readonly container: TypeId; readonly count: number };

/** Returns true if an access string for `root` is the number of an enumerator. */
export function isEnumRoot(t: TypeTable, root: TypeId): boolean {
  const kind = kindOf(t, skipModifiers(t, root));
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
}

/** Returns the access string for member and element indices, or for an enumerator's index. */
export function accessStringOf(t: TypeTable, root: TypeId, path: readonly number[]): string {
  return (isEnumRoot(t, root) ? path : [0, ...path]).join(':');
}

/** Returns the path of a field access, or of an enumerator if the root is an enum. */
export function accessPathOf(t: TypeTable, { root, accessStr }: Access): AccessPath {
  return walkAccess(t, root, accessStr, isEnumRoot(t, root) ? ENUM_KIND : FIELD_KIND);
}

/** Returns the possible steps after `path`; null if its last step is a scalar or a fault. */
export function onward(t: TypeTable, path: AccessPath): Onward | null {
  if (isEnumRoot(t, path.root)) return enumeratorsOf(t, path.root);
  if (path.error !== null) return null;
  const at = skipModifiers(t, path.leaf);
  const kind = kindOf(t, at);
  if (isComposite(kind)) {
    const count = memberCount(t, at);
    return count === 0 ? null : { kind: 'members', container: at, count };
  }
  if (kind === BtfKind.ARRAY) {
    const { elemType, nelems } = arrayData(t, at);
    return { kind: 'elements', elemType, count: nelems === 0 ? null : nelems };
  }
  if (kind !== BtfKind.PTR) return null;
  const to = skipModifiers(t, typeId(sizeOrTypeOf(t, at)));
  return isComposite(kindOf(t, to)) && memberCount(t, to) > 0 ? { kind: 'pointer', to } : null;
}

function enumeratorsOf(t: TypeTable, root: TypeId): Onward | null {
  const container = skipModifiers(t, root);
  const count = vlenOf(t, container);
  return count === 0 ? null : { kind: 'enumerators', container, count };
}

/** Returns the accesses up to number `at`, the last with `index` appended to its access string. */
export function goInto(accesses: readonly Access[], at: number, index: number): Access[] {
  const access = accesses[at];
  if (access === undefined) return [...accesses];
  return [...accesses.slice(0, at), { ...access, accessStr: `${access.accessStr}:${index}` }];
}

/** Returns the range of characters of index number `atStep` in an access string, to mark it. */
export function indexPlace(
  accessStr: string,
  atStep: number,
): { readonly start: number; readonly length: number } {
  const tokens = accessStr.split(':');
  const before = tokens.slice(0, atStep);
  const start = before.reduce((sum, token) => sum + token.length + 1, 0);
  return { start: Math.min(start, accessStr.length), length: tokens[atStep]?.length || 1 };
}

export type KindText = {
  /** Relocation kind, `enum bpf_core_relo_kind`. */
  readonly kind: number;
  /** Macro of libbpf for the kind; null if libbpf has none. */
  readonly macro: string | null;
  readonly builtin: string;
};

/** Name of the pointer variable in generated C. */
const VARIABLE = 'p';

/** Returns the relocation kinds of a group, in ascending order. */
export function kindsOf(group: CoreKindGroup): number[] {
  return CORE_KINDS.filter((kind) => kind.group === group).map((kind) => kind.number);
}

/** Returns the declaration of the pointer variable, `struct foo *p;`. */
export function declarationOf(t: TypeTable, root: TypeId): string {
  return `${typeExpression(t, root)} *${VARIABLE};`;
}

/** Returns consecutive accesses as C, `p->mm->pgd`; null if the last member is anonymous. */
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

/** Returns `BPF_CORE_READ(p, mm, pgd)`; null if the last access is no field or is a bit-field. */
export function coreReadOf(paths: readonly AccessPath[]): string | null {
  const fields = paths.map(fieldText);
  const last = paths.at(-1);
  if (last === undefined || last.error !== null || last.bitfieldSize > 0) return null;
  // BPF_CORE_READ can index only the first pointer: later pointers must have index 0.
  if (paths.slice(1).some((path) => (path.steps[0]?.index ?? 0) > 0)) return null;
  if (fields.some((field) => field === null || field === '' || field.startsWith('['))) return null;
  const index = paths[0]?.steps[0]?.index ?? 0;
  const source = index === 0 ? VARIABLE : `${VARIABLE} + ${index}`;
  return `BPF_CORE_READ(${[source, ...fields].join(', ')})`;
}

/** Returns `BPF_CORE_READ_BITFIELD_PROBED(p, flag)` for a bit-field; null for other paths. */
export function bitfieldReadOf(path: AccessPath): string | null {
  const field = fieldText(path);
  if (path.error !== null || path.bitfieldSize === 0 || field === null) return null;
  const index = path.steps[0]?.index ?? 0;
  const source = index === 0 ? VARIABLE : `(${VARIABLE} + ${index})`;
  return `BPF_CORE_READ_BITFIELD_PROBED(${source}, ${field})`;
}

/** Returns C code per relocation kind of `group`; empty if C cannot name the access. */
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

/** Returns the members after the pointer, `a.b[2]`; null if the last member is anonymous. */
function fieldText({ steps }: AccessPath): string | null {
  let text = '';
  for (const step of steps.slice(1)) {
    if (step.means === 'array-element') text += `[${step.index}]`;
    else if (step.name !== '') text += text === '' ? step.name : `.${step.name}`;
  }
  return steps.length > 1 && steps.at(-1)?.means === 'anonymous-member' ? null : text;
}
