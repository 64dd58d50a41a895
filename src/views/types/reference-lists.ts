/** What a type refers to and what refers to it, made ready for lists. */
import { type Reference, referencesOf } from '#analysis/types/references.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { kindStyle } from '#views/parts/kind-style.ts';

export type Target = {
  readonly type: TypeId;
  /** As what it is referred to, in the record's order: member names, `return`, `param 1` …; empty where there is nothing to add. Raw text. */
  readonly as: readonly string[];
};

/** The types that `id` refers to, each once, void left out. Looks at the first `limit` references. */
export function targetsOf(types: TypeTable, id: TypeId, limit: number): Target[] {
  const found = new Map<TypeId, string[]>();
  for (const reference of referencesOf(types, id, limit)) {
    if (reference.type === VOID) continue;
    const as = found.get(reference.type);
    if (as === undefined) found.set(reference.type, [roleOf(reference)]);
    else as.push(roleOf(reference));
  }
  return [...found].map(([type, as]) => ({ type, as }));
}

/** Longer names are cut: three of them are to fit a line. */
const MAX_NAME = 120;

function roleOf(reference: Reference): string {
  const { role, index } = reference;
  switch (role) {
    case 'member':
      return reference.name.slice(0, MAX_NAME) || `member ${index}`;
    case 'param':
      return reference.name.slice(0, MAX_NAME) || `param ${index}`;
    // The link already says the name of a variable, and `type` says nothing.
    case 'var':
    case 'type':
      return '';
    default:
      return role;
  }
}

const SHOWN_ROLES = 3;

/** `a, b, c and 4 more`; empty when there is nothing to tell. */
export function rolesText(as: readonly string[]): string {
  const told = as.filter((role) => role !== '');
  const text = told.slice(0, SHOWN_ROLES).join(', ');
  return told.length > SHOWN_ROLES ? `${text} and ${told.length - SHOWN_ROLES} more` : text;
}

export type KindGroup = { readonly kind: number; readonly ids: readonly TypeId[] };

/** Ids by kind, the largest group first, ids in their order. */
export function groupByKind(types: TypeTable, ids: Iterable<number>): KindGroup[] {
  const groups = new Map<number, TypeId[]>();
  for (const id of ids) {
    const kind = kindOf(types, typeId(id));
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [typeId(id)]);
    else group.push(typeId(id));
  }
  return [...groups]
    .map(([kind, members]) => ({ kind, ids: members }))
    .sort((a, b) => b.ids.length - a.ids.length || byName(a.kind, b.kind));
}

function byName(a: number, b: number): number {
  return kindStyle(a).name < kindStyle(b).name ? -1 : 1;
}
