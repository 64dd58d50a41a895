/**
 * Items of a graph node (members, parameters, variables), each with its target node.
 *
 * Nodes are structs, unions, enums, typedefs of anonymous types, forward declarations and
 * functions; edges pass through other types. Members of anonymous structs belong to the enclosing
 * node.
 */
import { bitfieldWidth, memberBits } from '#analysis/types/member-bits.ts';
import { refersTo } from '#analysis/types/references.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isComposite, type Member, memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable, vlenOf } from '#model/type-table.ts';
import { type Followed, follow } from './graph-path.ts';

/** Groups of nodes that the user shows or hides together, as named in the parameter `hide`. */
export const FAMILIES = ['struct', 'union', 'enum', 'fwd', 'func', 'other'] as const;
export type Family = (typeof FAMILIES)[number];

/** Families hidden by default: otherwise, callback members would show half the kernel. */
const HIDDEN_BY_DEFAULT: ReadonlySet<Family> = new Set<Family>(['func']);
const NOTHING_HIDDEN = 'none';

/** Returns the family of a node; the typedef of an anonymous struct counts as a struct. */
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

/** Parses the parameter `hide`: family names separated by commas, `none`, or null (default). */
export function parseHidden(text: string | null): ReadonlySet<Family> {
  if (text === null) return HIDDEN_BY_DEFAULT;
  const words = text.split(',');
  return new Set(FAMILIES.filter((family) => words.includes(family)));
}

/** Formats hidden families as the parameter `hide`; null for the default. */
export function formatHidden(hidden: ReadonlySet<Family>): string | null {
  const words = FAMILIES.filter((family) => hidden.has(family));
  if (words.join() === [...HIDDEN_BY_DEFAULT].join()) return null;
  return words.length === 0 ? NOTHING_HIDDEN : words.join(',');
}

export type GraphEntry = {
  /** Member indices from the node, or the index of a parameter or variable; -1 for other items. */
  readonly path: readonly number[];
  /** Name as raw text: `outer.inner` for a member of an anonymous type; may be empty. */
  readonly name: string;
  /** Type of the item as stored, with pointers, arrays and modifiers. */
  readonly type: TypeId;
  /** Width of a bit-field in bits; 0 for other items. */
  readonly bitfieldSize: number;
  /** Node at the end of the item's edge; null for a scalar and for a hidden node. */
  readonly to: TypeId | null;
  /** Types between the item and the node `to`. */
  readonly chain: readonly TypeId[];
};

export type GraphReader = {
  readonly types: TypeTable;
  /** Returns the items of a node in record order, at most 4,096. */
  readonly entriesOf: (node: TypeId) => readonly GraphEntry[];
};

/** Maximum items of a node: a hostile struct has millions of members or endless nesting. */
const MAX_ENTRIES = 4096;
const MAX_NESTING = 64;

/** Returns a reader of nodes. No edge leads to a `hidden` family; types in `stops` are nodes. */
export function graphReader(
  types: TypeTable,
  hidden: ReadonlySet<Family>,
  stops: ReadonlySet<TypeId> = new Set(),
): GraphReader {
  const chains = new Map<TypeId, Followed>();
  const entries = new Map<TypeId, readonly GraphEntry[]>();
  const chainOf = (type: TypeId) => getOrCreate(chains, type, () => follow(types, type, stops));
  const isHidden = (to: TypeId) => hidden.has(familyOf(types, to));
  return {
    types,
    entriesOf: (node) =>
      getOrCreate(entries, node, () => readEntries(types, node, chainOf, isHidden)),
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
      // The name is computed on access, since most entries are only counted.
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

/** Returns a member as an item. The name is read on access. */
function itemOf(t: TypeTable, composite: TypeId, member: Member): Item {
  const { type, index } = member;
  return {
    type,
    index,
    get name() {
      return member.name;
    },
    bitfieldSize: bitfieldWidth(memberBits(t, composite, member)),
  };
}

function* itemsOf(t: TypeTable, id: TypeId): Generator<Item, void, void> {
  if (isComposite(kindOf(t, id))) {
    const count = memberCount(t, id);
    for (let i = 0; i < Math.min(count, MAX_ENTRIES); i++) {
      const member = memberAt(t, id, i);
      if (member !== null) yield itemOf(t, id, member);
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

/** Returns the type whose items a node shows: a typedef's struct, a function's prototype. */
function contentsOf(t: TypeTable, id: TypeId): TypeId {
  const kind = kindOf(t, id);
  if (kind === BtfKind.FUNC) return refOf(t, id) ?? VOID;
  if (kind !== BtfKind.TYPEDEF) return id;
  const target = skipModifiers(t, id);
  return isAnonymous(t, target) ? target : id;
}

/** Returns true for a struct or union without a name. */
export function isAnonymous(t: TypeTable, id: TypeId): boolean {
  return isComposite(kindOf(t, id)) && nameOf(t, id) === '';
}

/** A member that must have a row, because it is selected or on the path of an access string. */
export type Forced = { readonly type: number; readonly path: readonly number[] };

/** Maximum number of rows of a node if the user asks for all rows. */
export const ALL_ROWS = 1000;
const MAX_ROOT_ROWS = 72;
const MIN_ROOT_ROWS = 12;

/** Returns the number of rows of a root: the number of items with an edge, within limits. */
export function rootRows(entries: readonly GraphEntry[]): number {
  const linked = entries.reduce((sum, { to }) => sum + (to === null ? 0 : 1), 0);
  return Math.max(MIN_ROOT_ROWS, Math.min(MAX_ROOT_ROWS, linked));
}

/**
 * Returns the ascending indices of the entries that get rows, at most `limit`. Entries with an edge
 * come first. Forced entries replace other entries. If only one entry would be left out, it gets a
 * row, too: the text "1 more" would be as high.
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
  // Either all entries fit, or the node is an enum, whose enumerators have no edges.
  if (rows === count || entries.length === 0) return Array.from({ length: rows }, (_, i) => i);
  const wanted = forcedIn(entries, node, forced);
  const chosen = new Set<number>(wanted.slice(0, limit));
  for (let i = 0; i < entries.length && chosen.size < limit; i++) {
    if (entries[i]?.to !== null) chosen.add(i);
  }
  for (let i = 0; i < entries.length && chosen.size < limit; i++) chosen.add(i);
  return [...chosen].sort((a, b) => a - b);
}

/** Returns how many rows `rowsOf` gives a node with a number of items. */
function rowCount(items: number, limit: number): number {
  if (limit <= 0) return 0;
  return items <= limit + 1 ? items : limit;
}

function forcedIn(
  entries: readonly GraphEntry[],
  node: TypeId,
  forced: readonly Forced[],
): number[] {
  const numbers = forced
    .filter(({ type }) => type === node)
    .map(({ path }) => entryAt(entries, path))
    .filter((i) => i >= 0);
  return [...new Set(numbers)];
}

/** Returns the index of the entry that contains `path`; -1 if no entry does. */
function entryAt(entries: readonly GraphEntry[], path: readonly number[]): number {
  if (path.length === 0) return -1;
  return entries.findIndex(
    (entry) =>
      entry.path.length <= path.length && entry.path.every((index, i) => index === path[i]),
  );
}

/** Returns the number of items of a node: its entries, or its enumerators for an enum. */
export function itemCount(reader: GraphReader, node: TypeId): number {
  const { types } = reader;
  const target = skipModifiers(types, node);
  const kind = kindOf(types, target);
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64
    ? vlenOf(types, target)
    : reader.entriesOf(node).length;
}
