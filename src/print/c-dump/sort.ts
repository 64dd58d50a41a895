/**
 * Sorts types like the C dump of bpftool 7.5 and later. Sort keys: rank (enums, base types,
 * structs, functions, others), name of the target, then of the type, hash of content, id. Source:
 * bpftool, `sort_btf_c`, `btf_type_rank`, `btf_type_sort_name`, `btf_type_disambig_hash`. bpftool
 * follows references by recursion; here, the end of each chain is computed once. A loop, on which
 * bpftool does not terminate, ends in void.
 */
import { BtfKind, infoVlen } from '#formats/btf/kinds.ts';
import { namePlace } from '#model/names.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { insertionSort, MAX_INSERTED, NameOrder } from './name-order.ts';
import {
  ENUMERATOR,
  ENUMERATOR64,
  ITEMS_AT,
  kindAt,
  linkOf,
  MEMBER,
  NO_TYPE,
  type Records,
  wordAt,
} from './records.ts';

const LAST_RANK = 10;

/** Rank of a named type or chain, by the kind at the end of the chain. */
const RANKS = new Uint8Array(NO_TYPE + 1).fill(LAST_RANK);
const { ENUM, ENUM64, INT, FLOAT, STRUCT, UNION, FUNC_PROTO } = BtfKind;
for (const kind of [ENUM, ENUM64]) RANKS[kind] = 1;
for (const kind of [INT, FLOAT]) RANKS[kind] = 2;
for (const kind of [STRUCT, UNION]) RANKS[kind] = 3;
RANKS[FUNC_PROTO] = 4;

/** Kinds that are not written and that no written type refers to, although bpftool sorts them. */
const UNWRITTEN: ReadonlySet<number> = new Set([
  ...[BtfKind.FUNC, BtfKind.VAR, BtfKind.DATASEC, BtfKind.DECL_TAG, NO_TYPE],
]);

/** Yields the ids of all types that may be written, one rank at a time, in bpftool's order. */
export function* sortedIds(records: Records): Generator<Uint32Array, void> {
  const listed = new Uint32Array(records.lastId);
  let count = 0;
  for (let id = 1; id <= records.lastId; id++) {
    if (!UNWRITTEN.has(kindAt(records, id))) listed[count++] = id;
  }
  const ends = endsOf(records, listed.subarray(0, count));
  const ranks = new Uint8Array(count);
  const inRank = new Uint32Array(LAST_RANK + 1);
  for (let i = 0; i < count; i++) {
    const id = listed[i] ?? 0;
    const rank = rankOf(records, id, ends[id] ?? 0);
    ranks[i] = rank;
    inRank[rank] = (inRank[rank] ?? 0) + 1;
  }
  const hashes = new Hashes(records);
  const names = new NameOrder(records.types);
  for (let rank = 0; rank <= LAST_RANK; rank++) {
    const ids = new Uint32Array(inRank[rank] ?? 0);
    let n = 0;
    for (let i = 0; n < ids.length; i++) if (ranks[i] === rank) ids[n++] = listed[i] ?? 0;
    if (n > 0) yield sortedRank(records, ids, ends, names, hashes);
  }
}

/** Returns the types of one rank in bpftool's order. `listed` has them in the order of ids. */
function sortedRank(
  records: Records,
  listed: Uint32Array,
  ends: Uint32Array,
  names: NameOrder,
  hashes: Hashes,
): Uint32Array {
  const count = listed.length;
  const nameOffs = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const id = listed[i] ?? 0;
    nameOffs[i] = sortNameOf(records, id, ends[id] ?? 0);
    nameOffs[count + i] = nameOffAt(records, id);
  }
  const numbers = names.numbers(nameOffs);
  // Sorting numbers is faster than sorting objects. For 60 million types, keys are below 2^53.
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = (numbers[i] ?? 0) * count + i;
  const order = new Ties(listed, numbers.subarray(count), hashes).sorted(keys);
  return order.map((place) => listed[place] ?? 0);
}

/** Sorts by name, hash and id: only few types need these keys. Places are indices in `listed`. */
class Ties {
  readonly #listed: Uint32Array;
  readonly #nameNumbers: Uint32Array;
  readonly #hashes: Hashes;

  constructor(listed: Uint32Array, nameNumbers: Uint32Array, hashes: Hashes) {
    this.#listed = listed;
    this.#nameNumbers = nameNumbers;
    this.#hashes = hashes;
  }

  /** Returns the places in sorted order. A key is number * count of all types + place. */
  sorted(keys: Float64Array): Uint32Array {
    const order = new Uint32Array(keys.length);
    forEachRun(keys.sort(), this.#nameNumbers.length, order, (start, end) => {
      if (end - start <= MAX_INSERTED) insertionSort(order, start, end, this.#compare);
      else this.#sortMany(order.subarray(start, end));
    });
    return order;
  }

  #sortMany(places: Uint32Array): void {
    const count = this.#nameNumbers.length;
    const keys = Float64Array.from(
      places,
      (place) => (this.#nameNumbers[place] ?? 0) * count + place,
    );
    forEachRun(keys.sort(), count, places, (start, end) => {
      this.#sortByHash(places.subarray(start, end));
    });
  }

  #sortByHash(places: Uint32Array): void {
    const hashed: number[] = [];
    let zeros = 0;
    // Types with the hash 0 come first: prototypes, and most other types with equal names.
    for (const place of places) {
      if (this.#hashes.isZero(this.#listed[place] ?? 0)) places[zeros++] = place;
      else hashed.push(place);
    }
    hashed.sort((a, b) => this.#compareHashes(a, b) || a - b);
    places.set(hashed, zeros);
  }

  readonly #compare = (a: number, b: number): number => {
    const difference = (this.#nameNumbers[a] ?? 0) - (this.#nameNumbers[b] ?? 0);
    return difference === 0 ? this.#compareHashes(a, b) : difference;
  };

  #compareHashes(a: number, b: number): number {
    return this.#hashes.compare(this.#listed[a] ?? 0, this.#listed[b] ?? 0);
  }
}

/** Writes the places of sorted `keys` to `order`. Calls `sortRun` for runs of equal numbers. */
function forEachRun(
  keys: Float64Array,
  count: number,
  order: Uint32Array,
  sortRun: (start: number, end: number) => void,
): void {
  let start = 0;
  let number = -1;
  for (let i = 0; i <= keys.length; i++) {
    const key = keys[i] ?? 0;
    const next = i < keys.length ? Math.floor(key / count) : -1;
    if (i < keys.length) order[i] = key - next * count;
    if (next === number) continue;
    if (i - start > 1) sortRun(start, i);
    start = i;
    number = next;
  }
}

/** Returns the string offset of the name of `id`; 0 for void and missing types. */
function nameOffAt(records: Records, id: number): number {
  return id === 0 || kindAt(records, id) === NO_TYPE ? 0 : wordAt(records, id, 0);
}

/** Returns the target of `id`; -1 for missing types and kinds without a target. */
function targetOf(records: Records, id: number): number {
  const kind = kindAt(records, id);
  const isNamed = kind === BtfKind.TYPEDEF || kind === BtfKind.DECL_TAG;
  return isNamed ? wordAt(records, id, 2) : linkOf(records, id);
}

/** Returns the type at the end of the target chain of each type in `listed`, indexed by id. */
function endsOf(records: Records, listed: Uint32Array): Uint32Array {
  const { lastId } = records;
  const ends = new Uint32Array(lastId + 1);
  const isKnown = new Uint8Array(lastId + 1).fill(1, 0, 1);
  const chain: number[] = [];
  for (const id of listed) {
    let at = id;
    while (isKnown[at] === 0) {
      // A type that occurs again in its own chain ends in void.
      isKnown[at] = 1;
      const target = targetOf(records, at);
      if (target < 0) {
        ends[at] = at;
        break;
      }
      chain.push(at);
      at = target;
    }
    const end = ends[at] ?? 0;
    for (let i = 0; i < chain.length; i++) ends[chain[i] ?? 0] = end;
    chain.length = 0;
  }
  return ends;
}

/** Returns the rank of `id`; `end` is the end of its chain. */
function rankOf(records: Records, id: number, end: number): number {
  if (nameOffAt(records, id) !== 0) return RANKS[kindAt(records, end)] ?? LAST_RANK;
  const kind = kindAt(records, id);
  if (isEnum(kind)) return 0;
  return kind === INT || kind === FLOAT ? 2 : LAST_RANK;
}

/** Returns the offset of the name to sort by: of the chain's end or an enum's first enumerator. */
function sortNameOf(records: Records, id: number, end: number): number {
  const nameOff = nameOffAt(records, end);
  const hasItem =
    nameOff === 0 && isEnum(kindAt(records, id)) && infoVlen(wordAt(records, id, 1)) > 0;
  return hasItem ? wordAt(records, id, ITEMS_AT) : nameOff;
}

/** Limit of hashed bytes of names and enum items. A kernel needs a million. */
const MAX_HASHED = 1 << 26;

/** Limit of pointers and qualifiers to skip; chains are rarely longer. */
const MAX_BARE = 8;

/** Computes 64-bit hashes of types with equal names, as two words each. */
class Hashes {
  /** Words of the hash that is being computed. */
  #high = 0;
  #low = 0;
  readonly #records: Records;
  /** 1 if a hash is known; the index is 2 * id, plus 1 for the hash with members. */
  readonly #isKnown: Uint8Array;
  readonly #highs: Uint32Array;
  readonly #lows: Uint32Array;
  #hashed = 0;

  constructor(records: Records) {
    this.#records = records;
    const count = 2 * (records.lastId + 1);
    this.#isKnown = new Uint8Array(count).fill(1, 0, 2);
    this.#highs = new Uint32Array(count);
    this.#lows = new Uint32Array(count);
  }

  isZero(id: number): boolean {
    if (kindAt(this.#records, id) === FUNC_PROTO) return nameOffAt(this.#records, id) === 0;
    this.#find(id, true);
    return this.#high === 0 && this.#low === 0;
  }

  compare(a: number, b: number): number {
    const [bareA, bareB] = [this.#bare(a), this.#bare(b)];
    if (bareA === bareB) return 0;
    this.#find(bareA, true);
    const high = this.#high;
    const low = this.#low;
    this.#find(bareB, true);
    return high - this.#high || low - this.#low;
  }

  /** Returns the type behind some unnamed references: they have the same hash (31 * 0 + h). */
  #bare(id: number): number {
    let at = id;
    for (let steps = 0; steps < MAX_BARE; steps++) {
      const kind = kindAt(this.#records, at);
      const target = kind === BtfKind.ARRAY ? -1 : targetOf(this.#records, at);
      if (target < 0 || nameOffAt(this.#records, at) !== 0) break;
      at = target;
    }
    return at;
  }

  /** Sets `#high` and `#low` to the hash of `id`. The hash of a member's type omits its members. */
  #find(id: number, withMembers: boolean): void {
    const bit = withMembers ? 1 : 0;
    if (this.#isKnown[2 * id + bit] === 0) this.#work(id, withMembers);
    else this.#recall(2 * id + bit);
  }

  #work(id: number, withMembers: boolean): void {
    const records = this.#records;
    const bit = withMembers ? 1 : 0;
    const chain: number[] = [];
    let at = id;
    while (this.#isKnown[2 * at + bit] === 0) {
      // Inside a type that contains itself, the hash of this type is 0.
      this.#isKnown[2 * at + bit] = 1;
      const target = targetOf(records, at);
      if (target < 0) {
        this.#terminal(at, withMembers);
        this.#keep(2 * at + bit);
        break;
      }
      chain.push(at);
      at = target;
    }
    this.#recall(2 * at + bit);
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
      const [high, low] = [this.#high, this.#low];
      this.#begin(next);
      if (kindAt(records, next) === BtfKind.ARRAY)
        this.#mix(0, wordAt(records, next, ITEMS_AT + 2));
      this.#mix(high, low);
      this.#keep(2 * next + bit);
    }
  }

  #keep(place: number): void {
    this.#highs[place] = this.#high;
    this.#lows[place] = this.#low;
  }

  #recall(place: number): void {
    this.#high = this.#highs[place] ?? 0;
    this.#low = this.#lows[place] ?? 0;
  }

  /** Computes h = h * 31 + n; `high` and `low` are the words of n. */
  #mix(high: number, low: number): void {
    const sum = this.#low * 31 + low;
    this.#high = (this.#high * 31 + high + Math.floor(sum / 2 ** 32)) >>> 0;
    this.#low = sum >>> 0;
  }

  #begin(id: number): void {
    this.#high = 0;
    this.#low = 0;
    this.#mixName(nameOffAt(this.#records, id));
  }

  /** Hashes a name. Its bytes are signed, like `char` on x86, where bpftool runs. */
  #mixName(nameOff: number): void {
    if (nameOff === 0) return;
    const [high, low] = [this.#high, this.#low];
    this.#high = 0;
    this.#low = 0;
    if (this.#hashed < MAX_HASHED) {
      const { bytes, start, end } = namePlace(this.#records.types, nameOff);
      this.#hashed += end - start;
      for (let at = start; at < end; at++) {
        const byte = bytes[at] ?? 0;
        if (byte < 0x80) this.#mix(0, byte);
        else this.#mix(0xffffffff, (byte - 0x100) >>> 0);
      }
    }
    const [nameHigh, nameLow] = [this.#high, this.#low];
    this.#high = high;
    this.#low = low;
    this.#mix(nameHigh, nameLow);
  }

  /** Computes the hash of a struct, a union, or a type without a target. */
  #terminal(id: number, withMembers: boolean): void {
    const records = this.#records;
    const { words } = records;
    const kind = kindAt(records, id);
    this.#begin(id);
    const start = (records.at[id] ?? 0) + ITEMS_AT;
    const vlen = infoVlen(wordAt(records, id, 1));
    if (isEnum(kind)) {
      const stride = kind === ENUM64 ? ENUMERATOR64 : ENUMERATOR;
      for (let index = 0; index < vlen; index++) this.#mixName(words[start + stride * index] ?? 0);
    } else if (isComposite(kind) && withMembers) {
      for (let index = 0; index < vlen; index++) {
        const member = start + MEMBER * index;
        this.#mixName(words[member] ?? 0);
        const [high, low] = [this.#high, this.#low];
        this.#find(words[member + 1] ?? 0, false);
        const [typeHigh, typeLow] = [this.#high, this.#low];
        this.#high = high;
        this.#low = low;
        this.#mix(typeHigh, typeLow);
      }
    }
  }
}
