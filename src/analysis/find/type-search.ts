/** Searches the types of a file by text and kind, and sorts them by id, name, size or holes. */
import { approximateSizes } from '#analysis/types/sizes.ts';
import { paddingBytes } from '#analysis/types/struct-layout.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { typeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { Match } from './match-name.ts';
import { functionsWith, holdersOfType } from './member-types.ts';
import { nameCut, searchSubstring } from './name-pool.ts';
import { askedMemberType, askedPrototype } from './query.ts';
import { NameMarks, type TypeNames } from './type-names.ts';

/**
 * Sort order of types. `structs`: structs and unions with a name, largest first, then the others by
 * id. `holes`: by bytes in holes and padding; omits types without such bytes.
 */
export type TypeOrder = 'structs' | 'id' | 'name' | 'size' | 'holes';

export type TypeQuery = {
  /**
   * Part of a name, `struct foo`, `struct`, an id (`#12` or `[12]`), `member-type:foo`, `takes:foo`
   * or `returns:foo`.
   */
  readonly text: string;
  /** BTF kinds to find, as bits `1 << kind`; kinds from 31 on share bit 31; 0 = all kinds. */
  readonly kinds: number;
  readonly order: TypeOrder;
  readonly descending: boolean;
};

/** Number of types up to which a page may sort structs itself: a few milliseconds. */
const MAX_SORTED_AT_ONCE = 200_000;

/**
 * Returns the ids of all own types if the query has no filter and its order needs no worker: by id,
 * or structs first. Else returns null.
 */
export function allTypes(t: TypeTable, query: TypeQuery): Uint32Array | null {
  if (query.text.trim() !== '' || query.kinds !== 0) return null;
  const isQuick = query.order === 'structs' && t.count <= MAX_SORTED_AT_ONCE;
  if (query.order !== 'id' && !isQuick) return null;
  return ordered(t, query).map((i) => t.firstId + i);
}

function countedFrom(first: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}

/** Returns the ids of matching types in the query's order; `name` and `structs` put exact matches first. */
export async function searchTypes(
  t: TypeTable,
  query: TypeQuery,
  names: () => Promise<TypeNames>,
): Promise<Uint32Array> {
  const all = allTypes(t, query);
  if (all !== null) return all;
  const id = askedId(query.text);
  if (id !== null) {
    const isOwn = id >= t.firstId && id < t.firstId + t.count;
    return isOwn ? Uint32Array.of(id) : new Uint32Array(0);
  }
  const asked = askedMemberType(query.text);
  const prototype = askedPrototype(query.text);
  const isName = asked === null && prototype === null;
  const { kinds, needle } = isName ? parseText(query) : parseText({ ...query, text: '' });
  const ranks = rankTypes(t, needle === '' ? null : marksOf(await names(), needle), kinds);
  if (asked !== null) keepOnly(t, ranks, holdersOfType(t, asked));
  if (prototype !== null) keepOnly(t, ranks, new Set(functionsWith(t, prototype)));
  const inOrder = ordered(t, query);
  const isRanked = needle !== '' && (query.order === 'name' || query.order === 'structs');
  const byRank = isRanked ? [EXACT, PREFIX, INSIDE] : [ANY];
  const ids = new Uint32Array(ranks.length);
  let n = 0;
  for (const wanted of byRank) {
    for (const i of inOrder) {
      const rank = ranks[i] ?? NO_MATCH;
      if (rank === wanted || (wanted === ANY && rank !== NO_MATCH)) ids[n++] = t.firstId + i;
    }
  }
  return ids.slice(0, n);
}

function askedId(text: string): number | null {
  const [, hash, bracket] = /^\s*(?:#(\d{1,10})|\[(\d{1,10})\])\s*$/.exec(text) ?? [];
  const digits = hash ?? bracket;
  return digits === undefined ? null : Number(digits);
}

const bit = (kind: number) => (1 << Math.min(kind, 31)) >>> 0;

/** Words that limit the kind, also alone. `enum` includes ENUM64; `struct` excludes FWD. */
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
  const [, word = '', mark = '', rest = ''] = /^(\w+)(\s*:\s*|\s+|$)(.*)$/s.exec(text) ?? [];
  // `int` and `float` alone are names of types.
  const isKind = mark !== '' || (word !== 'int' && word !== 'float');
  const only = isKind ? KIND_WORDS.get(word) : undefined;
  return only === undefined
    ? { kinds: all, needle: text.trimEnd() }
    : { kinds: all & only, needle: rest.trimEnd() };
}

const NO_MATCH = 0;
const INSIDE = 1;
const PREFIX = 2;
const EXACT = 3;
const ANY = 4;

/** Returns a mark per name that contains `needle`: INSIDE, PREFIX or EXACT. */
function marksOf({ types, pool, nameOff }: TypeNames, needle: string): NameMarks {
  const marks = new NameMarks(types);
  if (needle.includes('\0')) return marks;
  searchSubstring(pool, needle, (name, match) => {
    const prefix = match === Match.PREFIX ? PREFIX : INSIDE;
    marks.set(nameOff[name] ?? 0, match === Match.EXACT ? EXACT : prefix);
  });
  return marks;
}

function keepOnly(t: TypeTable, ranks: Uint8Array, ids: ReadonlySet<number>): void {
  for (let i = 0; i < ranks.length; i++) if (!ids.has(t.firstId + i)) ranks[i] = NO_MATCH;
}

/** Returns the mark of each own type's name, or NO_MATCH. If `marks` is null, all names match. */
function rankTypes(t: TypeTable, marks: NameMarks | null, kinds: number): Uint8Array {
  const records = new RecordReader(t);
  const ranks = new Uint8Array(t.count);
  for (let i = 0; i < ranks.length; i++) {
    const rank = marks === null ? EXACT : marks.get(records.nameOff(i));
    if (rank !== NO_MATCH && (kinds & bit(records.kind(i))) !== 0) ranks[i] = rank;
  }
  return ranks;
}

function ordered(t: TypeTable, query: TypeQuery): Uint32Array {
  const { order: all, known } = orderingOf(t, query.order);
  const order = query.order === 'holes' ? all.subarray(0, known) : all;
  if (!query.descending) return order;
  const turned = order.slice();
  turned.subarray(0, known).reverse();
  return turned;
}

function orderingOf(t: TypeTable, order: TypeOrder): Ordering {
  switch (order) {
    case 'structs':
      return structsFirst(t);
    case 'name':
      return byName(t);
    case 'size':
      return bySize(t);
    case 'holes':
      return byHoles(t);
    default: {
      // Not cached: numbering a million types takes a millisecond.
      const order = countedFrom(0, t.count);
      return { order, known: order.length };
    }
  }
}

/** Sorted row numbers. From index `known` on: rows without name or size, sorted by id. */
type Ordering = { readonly order: Uint32Array; readonly known: number };

// A table's types are sorted once per order. Queries only filter the sorted types.

const byName = memoized((t: TypeTable): Ordering => {
  const cut = nameCut(t.count);
  const names = Array.from({ length: t.count }, (_, i) =>
    nameOf(t, typeId(t.firstId + i), cut).toLowerCase(),
  );
  const named = Uint32Array.from(names.keys()).filter((i) => names[i] !== '');
  named.sort((a, b) => compare(names[a] ?? '', names[b] ?? '') || a - b);
  return withRest(named, t.count);
});

const structsFirst = memoized((t: TypeTable): Ordering => {
  const records = new RecordReader(t);
  const structs = countedFrom(0, t.count).filter((i) => {
    const kind = records.kind(i);
    return (kind === BtfKind.STRUCT || kind === BtfKind.UNION) && records.nameOff(i) !== 0;
  });
  structs.sort((a, b) => compare(records.sizeOrType(b), records.sizeOrType(a)) || a - b);
  return withRest(structs, t.count);
});

const bySize = memoized((t: TypeTable) => orderBySize(approximateSizes(t)));
const byHoles = memoized((t: TypeTable) => orderBySize(paddingBytes(t)));

/** Returns all own types sorted by size in bytes; the size `NaN` means no size. */
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

/** Compares by UTF-16 code unit, which is the same on every machine, unlike locale order. */
function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
