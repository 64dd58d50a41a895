/**
 * Items of a node of the graph: members, parameters, variables, each with
 * the node that it leads to.
 *
 * Nodes are types that a person thinks of as things: structs, unions, enums,
 * typedefs of anonymous ones, forward declarations, functions. What stands
 * between two of them is passed on the way. Members of anonymous structs and
 * unions belong to the one around them.
 */
import { refersTo } from '#analysis/types/references.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isComposite, memberAt, memberCount, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable, vlenOf } from '#model/type-table.ts';
import { type Followed, follow } from './graph-path.ts';

/** Families of nodes that the user shows or hides together, and their form in an address. */
export const FAMILIES = ['struct', 'union', 'enum', 'fwd', 'func', 'other'] as const;
export type Family = (typeof FAMILIES)[number];

/** Functions are hidden at first: callbacks among members would bring in half the kernel. */
const HIDDEN_AT_FIRST: ReadonlySet<Family> = new Set<Family>(['func']);
const NONE = 'none';

/** Returns the family of a node. A typedef that names an anonymous struct counts as a struct. */
export function familyOf(t: TypeTable, id: TypeId): Family {
  return FAMILY_OF_KIND[kindOf(t, skipModifiers(t, id))] ?? 'other';
}

const FAMILY_OF_KIND: Readonly<Record<number, Family>> = {
  [BtfKind.STRUCT]: 'struct',
  [BtfKind.UNION]: 'union',
  [BtfKind.ENUM]: 'enum',
  [BtfKind.ENUM64]: 'enum',
  [BtfKind.FWD]: 'fwd',
  [BtfKind.FUNC]: 'func',
  [BtfKind.FUNC_PROTO]: 'func',
};

/** Reads the parameter `hide`: families separated by commas, `none`, or null for the default. Total. */
export function parseHidden(text: string | null): ReadonlySet<Family> {
  if (text === null) return HIDDEN_AT_FIRST;
  const words = text.split(',');
  return new Set(FAMILIES.filter((family) => words.includes(family)));
}

/** Reverse of `parseHidden`. */
export function formatHidden(hidden: ReadonlySet<Family>): string | null {
  const words = FAMILIES.filter((family) => hidden.has(family));
  if (words.join() === [...HIDDEN_AT_FIRST].join()) return null;
  return words.length === 0 ? NONE : words.join(',');
}

export type GraphEntry = {
  /** Member indices from the node; the index of a parameter or variable; -1 for other items. */
  readonly path: readonly number[];
  /** Raw text; `outer.inner` in an anonymous type; empty without a name. */
  readonly name: string;
  /** Type as stored, with pointers, arrays and modifiers. */
  readonly type: TypeId;
  /** Width in bits; 0 if it is no bit-field. */
  readonly bitfieldSize: number;
  /** Node that it leads to; null for scalars and hidden nodes. */
  readonly to: TypeId | null;
  /** Types passed on the path to `to`. */
  readonly chain: readonly TypeId[];
};

export type GraphReader = {
  readonly types: TypeTable;
  /** Items of a node, in the order of its record; at most 4,096. */
  readonly entriesOf: (node: TypeId) => readonly GraphEntry[];
};

/** A hostile struct has millions of members, and hostile anonymous ones nest without end. */
const MAX_ENTRIES = 4096;
const MAX_NESTING = 64;

/**
 * Reads nodes, and keeps them. Nodes of `hidden` families are treated as if they
 * were scalars; types of `stops` are nodes although edges would pass them.
 */
export function graphReader(
  types: TypeTable,
  hidden: ReadonlySet<Family>,
  stops: ReadonlySet<TypeId> = new Set(),
): GraphReader {
  const chains = new Map<TypeId, Followed>();
  const kept = new Map<TypeId, readonly GraphEntry[]>();
  const chainOf = (type: TypeId) => getOrCreate(chains, type, () => follow(types, type, stops));
  const isHidden = (to: TypeId) => hidden.has(familyOf(types, to));
  return {
    types,
    entriesOf: (node) => getOrCreate(kept, node, () => readEntries(types, node, chainOf, isHidden)),
  };
}

type Level = {
  readonly items: Iterator<Item, void, void>;
  readonly prefix: string;
  readonly path: readonly number[];
};
type Item = Pick<GraphEntry, 'name' | 'type' | 'bitfieldSize'> & { readonly index: number };

function readEntries(
  t: TypeTable,
  node: TypeId,
  chainOf: (type: TypeId) => Followed,
  isHidden: (to: TypeId) => boolean,
): GraphEntry[] {
  const entries: GraphEntry[] = [];
  const stack: Level[] = [{ items: itemsOf(t, contentsOf(t, node)), prefix: '', path: [] }];
  const inlined = new Set<TypeId>();
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const { value: item, done } = level.items.next();
    if (done || item === undefined || entries.length >= MAX_ENTRIES) {
      stack.pop();
      continue;
    }
    const { prefix } = level;
    const path = [...level.path, item.index];
    const { to, chain, behindPointer } = chainOf(item.type);
    if (to !== null && !behindPointer && isAnonymous(t, to)) {
      if (inlined.has(to) || stack.length >= MAX_NESTING) continue;
      inlined.add(to);
      const inner = item.name === '' ? prefix : `${prefix}${item.name}.`;
      stack.push({ items: itemsOf(t, to), prefix: inner, path });
      continue;
    }
    const shown = to === null || isHidden(to) ? null : to;
    entries.push({
      path,
      // Computed on demand: most entries are only counted.
      get name() {
        return prefix + item.name;
      },
      type: item.type,
      bitfieldSize: item.bitfieldSize,
      to: shown,
      chain: shown === null ? [] : chain,
    });
  }
  return entries;
}

function* itemsOf(t: TypeTable, id: TypeId): Generator<Item, void, void> {
  if (isComposite(kindOf(t, id))) {
    const count = memberCount(t, id);
    if (count <= MAX_ENTRIES) {
      yield* membersOf(t, id);
      return;
    }
    for (let i = 0; i < MAX_ENTRIES; i++) {
      const member = memberAt(t, id, i);
      if (member !== null) yield member;
    }
    return;
  }
  for (const reference of refersTo(t, id)) {
    const { type, index, name, role } = reference;
    if (role === 'index') continue;
    const isNamed = name !== '' || role === 'param';
    yield { type, index, name: isNamed ? name : wordOf(role), bitfieldSize: 0 };
  }
}

function wordOf(role: string): string {
  return role === 'return' ? 'returns' : role;
}

/** Returns the type with the items of a node: the struct of a typedef, the prototype of a function. */
function contentsOf(t: TypeTable, id: TypeId): TypeId {
  const kind = kindOf(t, id);
  if (kind === BtfKind.FUNC) return refOf(t, id) ?? VOID;
  if (kind !== BtfKind.TYPEDEF) return id;
  const target = skipModifiers(t, id);
  return isAnonymous(t, target) ? target : id;
}

/** Is the type a struct or union without a name? */
export function isAnonymous(t: TypeTable, id: TypeId): boolean {
  return isComposite(kindOf(t, id)) && nameOf(t, id) === '';
}

/** A member that must have a row: the selected one, or one of an access string. */
export type Forced = { readonly type: number; readonly path: readonly number[] };

/** Rows of an unfolded node. */
export const ALL_ROWS = 1000;
const ROOT_ROWS = 72;
const ROOT_LEAST = 12;

/** Returns the rows of a root: all items that lead to a node, up to a limit. */
export function rootRows(entries: readonly GraphEntry[]): number {
  const linked = entries.reduce((sum, { to }) => sum + (to === null ? 0 : 1), 0);
  return Math.max(ROOT_LEAST, Math.min(ROOT_ROWS, linked));
}

/**
 * The numbers of the entries that have rows, ascending: those that lead somewhere
 * first, then the first ones, at most `limit`. A single one that would be left
 * out has its row as well, since "1 more" takes as much room. What is forced
 * takes the place of another, so that the height does not depend on it.
 */
export function rowsOf(
  reader: GraphReader,
  node: TypeId,
  limit: number,
  forced: readonly Forced[],
): number[] {
  const entries = reader.entriesOf(node);
  const count = itemCount(reader, node);
  const rows = rowCount(count, limit);
  // All of them, or the first enumerators: those lead nowhere.
  if (rows === count || entries.length === 0) return Array.from({ length: rows }, (_, i) => i);
  const wanted = forcedIn(entries, node, forced);
  const chosen = new Set<number>(wanted.slice(0, limit));
  for (let i = 0; i < entries.length && chosen.size < limit; i++) {
    if (entries[i]?.to !== null) chosen.add(i);
  }
  for (let i = 0; i < entries.length && chosen.size < limit; i++) chosen.add(i);
  return [...chosen].sort((a, b) => a - b);
}

/** Returns the number of rows that `rowsOf` returns for a number of items. */
function rowCount(items: number, limit: number): number {
  if (limit <= 0) return 0;
  return items <= limit + 1 ? items : limit;
}

function forcedIn(
  entries: readonly GraphEntry[],
  node: TypeId,
  forced: readonly Forced[],
): number[] {
  const own = forced.filter(({ type }) => type === node);
  if (own.length === 0) return [];
  const numbers = own.map(({ path }) => entryAt(entries, path)).filter((i) => i >= 0);
  return [...new Set(numbers)];
}

/** Returns the index of the entry that `path` leads to or into; -1 without one. */
function entryAt(entries: readonly GraphEntry[], path: readonly number[]): number {
  if (path.length === 0) return -1;
  return entries.findIndex(
    (entry) =>
      entry.path.length <= path.length && entry.path.every((index, i) => index === path[i]),
  );
}

/** Returns the number of items of a node: entries, or the enumerators of an enum. */
export function itemCount(reader: GraphReader, node: TypeId): number {
  const { types } = reader;
  const target = skipModifiers(types, node);
  const kind = kindOf(types, target);
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64
    ? vlenOf(types, target)
    : reader.entriesOf(node).length;
}
