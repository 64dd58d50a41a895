/**
 * The type list: filter by text and kind, order by id, name, size or holes. Own types only.
 *
 * All names stand in one lower-case string, so that a search is one `indexOf` scan.
 * The index is built once for each table, in the worker.
 */
import { approximateSizes } from '#analysis/types/sizes.ts';
import { paddingBytes } from '#analysis/types/struct-layout.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOffOf, stringAt, type TypeTable } from '#model/type-table.ts';
import { nameAt } from './name-pool.ts';

export type NameIndex = {
  /** Lower-case names of the named own types in id order, each with a NUL behind it; no name holds one. */
  readonly text: string;
  /** Where each name begins in `text`, and at the end the length of `text`. */
  readonly starts: Uint32Array;
  /** Own index (id - firstId) of the type that each name belongs to. */
  readonly owners: Uint32Array;
  /** BTF_KIND_* of each own type. */
  readonly kinds: Uint8Array;
  /** By name; made when first asked for. */
  readonly byName: () => Ordering;
  /** By size in bytes; made when first asked for. */
  readonly bySize: () => Ordering;
  /** By bytes in holes and padding; made when first asked for. `known` are those that have some. */
  readonly byHoles: () => Ordering;
};

/** Indexed names together stay below this many characters, whatever a file does with its offsets. */
const MAX_TEXT = 1 << 27;
const MAX_NAME = 1024;

/** Names longer than 1,024 bytes are found by their beginning only. */
export function buildNameIndex(t: TypeTable): NameIndex {
  const cut = Math.max(32, Math.min(MAX_NAME, Math.floor(MAX_TEXT / Math.max(1, t.count))));
  const names: string[] = [];
  const starts = new Uint32Array(t.count + 1);
  const owners = new Uint32Array(t.count);
  const kinds = new Uint8Array(t.count);
  let length = 0;
  for (let i = 0; i < t.count; i++) {
    const id = typeId(t.firstId + i);
    kinds[i] = kindOf(t, id);
    const nameOff = nameOffOf(t, id);
    const name = nameOff === 0 ? '' : stringAt(t, nameOff, cut).toLowerCase();
    if (name === '') continue;
    starts[names.length] = length;
    owners[names.length] = i;
    names.push(name);
    length += name.length + 1;
  }
  starts[names.length] = length;
  const text = names.length === 0 ? '' : `${names.join('\0')}\0`;
  const exactStarts = starts.slice(0, names.length + 1);
  const exactOwners = owners.slice(0, names.length);
  return {
    text,
    starts: exactStarts,
    owners: exactOwners,
    kinds,
    byName: once(() => orderByName(t.count, text, exactStarts, exactOwners)),
    bySize: once(() => orderBySize(approximateSizes(t))),
    byHoles: once(() => orderBySize(paddingBytes(t))),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** `holes`: by bytes in holes and padding, and only structs that have some. */
export type TypeOrder = 'id' | 'name' | 'size' | 'holes';

export type TypeQuery = {
  /** Part of a name in any case; `struct foo` for one kind only; `#12` or `[12]` for an id. */
  readonly text: string;
  /** Bit `1 << kind` for each BTF kind wanted, kinds from 31 on share bit 31; 0 = all. */
  readonly kinds: number;
  readonly order: TypeOrder;
  readonly descending: boolean;
};

/** All own ids where the query asks for just that, in either direction of the id: needs no index. Else null. */
export function allTypes(t: TypeTable, query: TypeQuery): Uint32Array | null {
  if (query.text.trim() !== '' || query.kinds !== 0 || query.order !== 'id') return null;
  const ids = new Uint32Array(t.count);
  for (let i = 0; i < t.count; i++) ids[i] = t.firstId + i;
  return query.descending ? ids.reverse() : ids;
}

/**
 * Ids that answer the query, in its order. With text and order `name` a name that
 * is the text comes first, then those that begin with it, then the rest. Types
 * without a name or size come last, ascending or descending.
 */
export function searchTypes(t: TypeTable, index: NameIndex, query: TypeQuery): Uint32Array {
  const id = askedId(query.text);
  if (id !== null) {
    const own = id >= t.firstId && id < t.firstId + t.count;
    return own ? Uint32Array.of(id) : new Uint32Array(0);
  }
  const { kinds, needle } = parseText(query);
  const ranks = rankTypes(index, needle, kinds);
  const inOrder = ordered(index, query);
  const byRank = query.order === 'name' && needle !== '' ? [EXACT, PREFIX, INSIDE] : [ANY];
  const found = new Uint32Array(ranks.length);
  let n = 0;
  for (const wanted of byRank) {
    for (const i of inOrder) {
      const rank = ranks[i] ?? NONE;
      if (rank === wanted || (wanted === ANY && rank !== NONE)) found[n++] = t.firstId + i;
    }
  }
  return found.slice(0, n);
}

function askedId(text: string): number | null {
  const [, hash, bracket] = /^\s*(?:#(\d{1,10})|\[(\d{1,10})\])\s*$/.exec(text) ?? [];
  const digits = hash ?? bracket;
  return digits === undefined ? null : Number(digits);
}

const bit = (kind: number) => (1 << Math.min(kind, 31)) >>> 0;

/** Words that restrict the kind when a space follows; `enum` means both sorts, `struct` not its FWD. */
const KIND_WORDS: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: BtfKind.ENUM64 }, (_, i): [string, number] => [
    kindName(i + 1).toLowerCase(),
    bit(i + 1),
  ]),
  ['enum', bit(BtfKind.ENUM) | bit(BtfKind.ENUM64)],
]);

function parseText(query: TypeQuery): { readonly kinds: number; readonly needle: string } {
  const all = query.kinds === 0 ? -1 : query.kinds;
  const text = query.text.trimStart().toLowerCase();
  const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(text) ?? [];
  const only = KIND_WORDS.get(word);
  return only === undefined
    ? { kinds: all, needle: text.trimEnd() }
    : { kinds: all & only, needle: rest.trimEnd() };
}

const NONE = 0;
const INSIDE = 1;
const PREFIX = 2;
const EXACT = 3;
const ANY = 4;

/** For each own type how well it answers: NONE, INSIDE, PREFIX or EXACT; all are EXACT without a needle. */
function rankTypes(index: NameIndex, needle: string, kinds: number): Uint8Array {
  const ranks = new Uint8Array(index.kinds.length);
  const note = (owner: number, rank: number) => {
    if ((kinds & bit(index.kinds[owner] ?? 0)) !== 0) ranks[owner] = rank;
  };
  if (needle === '') {
    for (let i = 0; i < ranks.length; i++) note(i, EXACT);
    return ranks;
  }
  const { text, starts, owners } = index;
  if (needle.includes('\0')) return ranks;
  let name = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, starts[name])) {
    name = nameAt(starts, name, at);
    const start = starts[name] ?? 0;
    const end = (starts[name + 1] ?? 0) - 1;
    const prefix = end - start === needle.length ? EXACT : PREFIX;
    note(owners[name] ?? 0, at === start ? prefix : INSIDE);
    name++;
  }
  return ranks;
}

function ordered(index: NameIndex, query: TypeQuery): Uint32Array {
  const { order: all, known } = orderingOf(index, query.order);
  const order = query.order === 'holes' ? all.subarray(0, known) : all;
  if (!query.descending) return order;
  const turned = order.slice();
  turned.subarray(0, known).reverse();
  return turned;
}

function orderingOf(index: NameIndex, order: TypeOrder): Ordering {
  switch (order) {
    case 'name':
      return index.byName();
    case 'size':
      return index.bySize();
    case 'holes':
      return index.byHoles();
    default: {
      // Made anew each time, which costs a millisecond at a million types and keeps nothing.
      const order = new Uint32Array(index.kinds.length);
      for (let i = 0; i < order.length; i++) order[i] = i;
      return { order, known: order.length };
    }
  }
}

/** Own types in order of name or size. Whole tables at once: sorted once, then only filtered. */

/** Own indexes in ascending order; from `known` on those that have no name or size, in id order. */
type Ordering = { readonly order: Uint32Array; readonly known: number };

/**
 * The order of `count` own types by name: name number `i` stands in `text` from
 * `starts[i]` to before `starts[i + 1]`, NUL included, and belongs to `owners[i]`.
 */
function orderByName(
  count: number,
  text: string,
  starts: Uint32Array,
  owners: Uint32Array,
): Ordering {
  const names: string[] = Array.from({ length: count }, () => '');
  owners.forEach((owner, i) => {
    names[owner] = text.slice(starts[i], (starts[i + 1] ?? 1) - 1);
  });
  const named = owners.slice().sort((a, b) => compare(names[a] ?? '', names[b] ?? '') || a - b);
  return withRest(named, count);
}

/** The order of all own types by size in bytes, `NaN` = none. */
function orderBySize(sizes: Float64Array): Ordering {
  const sized = Uint32Array.from(sizes.keys()).filter((i) => !Number.isNaN(sizes[i]));
  sized.sort((a, b) => compare(sizes[a] ?? 0, sizes[b] ?? 0) || a - b);
  return withRest(sized, sizes.length);
}

function withRest(known: Uint32Array, count: number): Ordering {
  const order = new Uint32Array(count);
  const isKnown = new Uint8Array(count);
  order.set(known);
  for (const i of known) isKnown[i] = 1;
  let n = known.length;
  for (let i = 0; i < count; i++) if (isKnown[i] === 0) order[n++] = i;
  return { order, known: known.length };
}

/** Code unit order: the same on every machine, unlike a locale's. */
function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
