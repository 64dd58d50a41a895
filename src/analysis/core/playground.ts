/**
 * Building accesses: the next steps from a place, the access string of a path, and its C. A path
 * through pointers is several accesses, since a CO-RE record ends at a pointer. All functions are
 * total; names are raw text.
 */
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
import { type AccessPath, walkAccess } from './parse-spec.ts';

/** `byte_off` and `enumval_value`: by them a path is followed. */
const FIELD_KIND = 0;
const ENUM_KIND = 11;

/** One access: its root type, and its typed access string. */
export type Access = { readonly root: TypeId; readonly accessStr: string };

/** The next steps of a path. */
export type Onward =
  /** A struct or union with members. */
  | { readonly kind: 'members'; readonly container: TypeId; readonly count: number }
  /** `count` is null for a flexible array. */
  | { readonly kind: 'elements'; readonly elemType: TypeId; readonly count: number | null }
  /** The pointer leads to a type that can be gone into, by a new access string. */
  | { readonly kind: 'pointer'; readonly to: TypeId }
  | { readonly kind: 'enumerators'; readonly container: TypeId; readonly count: number };

/** Returns whether the access string of `root` is the number of an enumerator. */
export function isEnumRoot(t: TypeTable, root: TypeId): boolean {
  const kind = kindOf(t, skipModifiers(t, root));
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
}

/**
 * Returns the access string of a path: `path` has the numbers of members and elements from the
 * pointer's target on, for an enum the number of the enumerator. Empty for an enum without
 * enumerators.
 */
export function accessStringOf(t: TypeTable, root: TypeId, path: readonly number[]): string {
  return (isEnumRoot(t, root) ? path : [0, ...path]).join(':');
}

/** Follows an access as a relocation of a field, or of an enumerator where the root is an enum. */
export function accessPathOf(t: TypeTable, { root, accessStr }: Access): AccessPath {
  return walkAccess(t, root, accessStr, isEnumRoot(t, root) ? ENUM_KIND : FIELD_KIND);
}

/** Returns the next steps from the end of `path`; null where it ends in a number or a fault. */
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

/** The accesses up to and with number `at`, its string continued by `index`. */
export function goInto(accesses: readonly Access[], at: number, index: number): Access[] {
  const access = accesses[at];
  if (access === undefined) return [...accesses];
  return [...accesses.slice(0, at), { ...access, accessStr: `${access.accessStr}:${index}` }];
}

/** Returns the place of the token of index `atStep` in an access string, for a caret under it. */
export function indexPlace(
  accessStr: string,
  atStep: number,
): { readonly start: number; readonly length: number } {
  const tokens = accessStr.split(':');
  const before = tokens.slice(0, atStep);
  const start = before.reduce((sum, token) => sum + token.length + 1, 0);
  return { start: Math.min(start, accessStr.length), length: tokens[atStep]?.length || 1 };
}
