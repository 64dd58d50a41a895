/**
 * Keys that identify types in links and notes: ids differ between builds. A key has kind, name, and
 * ordinal among types of this kind and name. Ordinals count from id 1, including loaded bases.
 */
import { kindName, MAX_KINDS } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher } from '#model/names.ts';
import {
  firstAtHand,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  ownerOf,
  type TypeTable,
} from '#model/type-table.ts';

export type TypeKey = {
  /** Name of the kind in lower case: `struct`, `func_proto`, or `void` for id 0. */
  readonly kind: string;
  /** Name of the type; empty for anonymous types, which have ordinals of their own. */
  readonly name: string;
  /** 0 for the first type with this kind and name. */
  readonly ordinal: number;
};

/** Returns the key of type `id`, or the key of void if the type is not loaded. */
export function typeKeyOf(t: TypeTable, id: TypeId): TypeKey {
  if (ownerOf(t, id) === null) return { kind: 'void', name: '', ordinal: 0 };
  const kind = kindOf(t, id);
  const name = nameOf(t, id);
  const isNamed = nameMatcher(t, name);
  let ordinal = 0;
  for (let at = firstAtHand(t); at < id; at++) {
    const other = typeId(at);
    if (kindOf(t, other) === kind && isNamed(nameOffOf(t, other))) ordinal++;
  }
  return { kind: keyKind(kind), name, ordinal };
}

/** Returns the id of the type with `key` in table `t`, or null. */
export function findTypeKey(t: TypeTable, key: TypeKey): TypeId | null {
  if (key.kind === 'void') return typeId(0);
  const kind = kindOfKey(key.kind);
  if (kind === null) return null;
  const isNamed = nameMatcher(t, key.name);
  let left = key.ordinal;
  for (let at = firstAtHand(t); at <= lastId(t); at++) {
    const id = typeId(at);
    if (kindOf(t, id) !== kind || !isNamed(nameOffOf(t, id))) continue;
    if (left === 0) return id;
    left--;
  }
  return null;
}

/** Returns a key as text that is safe in URLs: `struct:foo`, `struct:foo~2`, `struct:~17`. */
export function formatTypeKey(key: TypeKey): string {
  const name = encodeURIComponent(key.name.replace(/\p{Cs}/gu, '\ufffd')).replaceAll('~', '%7E');
  const ordinal = key.ordinal === 0 && name !== '' ? '' : `~${key.ordinal}`;
  return `${key.kind}:${name}${ordinal}`;
}

/** Parses a text of `formatTypeKey`, or returns null for other text. */
export function parseTypeKey(text: string): TypeKey | null {
  const [, kind, encoded, ordinal] = /^([a-z0-9_]+):([^~]*)(?:~(\d{1,9}))?$/.exec(text) ?? [];
  if (kind === undefined || encoded === undefined) return null;
  if (kind !== 'void' && kindOfKey(kind) === null) return null;
  try {
    return { kind, name: decodeURIComponent(encoded), ordinal: Number(ordinal ?? 0) };
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Kinds to search for a name without a kind, the most common kinds first. */
const NAMED_KINDS = 'struct union enum enum64 typedef fwd int float func var'.split(' ');

/** Returns the type for the text of a key, or for a name without a kind. Null if none fits. */
export function findNamedType(t: TypeTable, text: string): TypeId | null {
  // Names of C++ and Rust have colons, too: `ns::type`.
  const key = text.includes(':') ? parseTypeKey(text) : null;
  const keyed = key === null ? null : findTypeKey(t, key);
  if (keyed !== null) return keyed;
  for (const kind of NAMED_KINDS) {
    const id = findTypeKey(t, { kind, name: text, ordinal: 0 });
    if (id !== null) return id;
  }
  return null;
}

const keyKind = (kind: number) => kindName(kind).toLowerCase();

const KIND_NUMBERS: ReadonlyMap<string, number> = new Map(
  Array.from({ length: MAX_KINDS }, (_, kind) => [keyKind(kind), kind]),
);

function kindOfKey(kind: string): number | null {
  return KIND_NUMBERS.get(kind) ?? null;
}
