/**
 * Names as numbers in the order of strcmp.
 *
 * They are compared three bytes at a time, all that are alike so far at once, by the number that
 * the bytes and an index make: native code sorts numbers many times faster than names.
 */
import { tablesOf } from '#model/joined-words.ts';
import { strLenOf, type TypeTable } from '#model/type-table.ts';

/** Bytes that are looked at in one round. */
const ROUND = 3;
/** Above all indices; three bytes times this are below 2^53. */
const INDEX_LIMIT = 2 ** 29;
/** Names that are alike so far, up to which they are compared one by one. */
const FEW = 12;
/** Rounds over a name, in sum. A kernel takes less than a million; a hostile file may have a megabyte of one letter. */
const MAX_ROUNDS = 1 << 24;

/** Orders names of `types`, list by list. */
export class NameOrder {
  readonly #tables: readonly TypeTable[];
  readonly #firstOff: number;
  /** By offset, while a list is ordered: one more than its index in the names; 0 = not met yet. */
  readonly #indexAt: Uint32Array;

  constructor(types: TypeTable) {
    this.#tables = tablesOf(types);
    this.#firstOff = this.#tables[0]?.strBase ?? 0;
    this.#indexAt = new Uint32Array(strLenOf(types) - this.#firstOff);
  }

  /**
   * For each of the string offsets `nameOffs` a number of at most their count: that of a name is less
   * than that of another which comes after it by strcmp, and equal names have the same. Offsets outside
   * of the strings are the empty name, which has 0. Names that are alike count as equal once
   * `MAX_ROUNDS` are over.
   */
  numbers(nameOffs: Uint32Array): Uint32Array {
    const indexAt = this.#indexAt;
    const firstOff = this.#firstOff;
    const names = new NameList(this.#tables, nameOffs.length);
    for (const nameOff of nameOffs) {
      if (indexAt[nameOff - firstOff] === 0) indexAt[nameOff - firstOff] = names.add(nameOff);
    }
    const numbers = names.numbers();
    // Writing outside of an array does nothing, and reading there gives the name 0.
    const found = nameOffs.map((nameOff) => numbers[indexAt[nameOff - firstOff] ?? 0] ?? 0);
    for (const nameOff of nameOffs) indexAt[nameOff - firstOff] = 0;
    return found;
  }
}

type Range = { readonly start: number; readonly end: number; readonly depth: number };

const NO_STRINGS = { blob: new Uint8Array(0), strEnd: 0 };

class NameList {
  readonly #tables: readonly TypeTable[];
  /** Of each name the place of its first byte in the blob of its table. The one at 0 is no name. */
  readonly #starts: Uint32Array;
  /** Its table's index. */
  readonly #tableOf: Uint32Array;
  #count = 1;
  #rounds = 0;

  constructor(tables: readonly TypeTable[], mostNames: number) {
    this.#tables = tables;
    this.#starts = new Uint32Array(mostNames + 1);
    this.#tableOf = new Uint32Array(mostNames + 1);
  }

  /** Takes the name at an offset that is in the strings of one of the tables. Gives its index. */
  add(nameOff: number): number {
    let table = this.#tables.length - 1;
    while (table > 0 && nameOff < (this.#tables[table]?.strBase ?? 0)) table--;
    const { strStart, strBase } = this.#tables[table] ?? { strStart: 0, strBase: 0 };
    this.#tableOf[this.#count] = table;
    this.#starts[this.#count] = strStart + nameOff - strBase;
    return this.#count++;
  }

  /** The numbers of all names by their index. */
  numbers(): Uint32Array {
    const count = this.#count;
    const order = Uint32Array.from({ length: count - 1 }, (_, i) => i + 1);
    /** By place in `order`: is it the same name as the one before? */
    const isSame = new Uint8Array(count);
    const keys = new Float64Array(count);
    const ranges: Range[] = [{ start: 0, end: count - 1, depth: 0 }];
    for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
      const { start, end, depth } = range;
      if (end - start <= FEW) {
        this.#sortFew(order, isSame, range);
        continue;
      }
      this.#rounds += end - start;
      const part = keys.subarray(start, end);
      for (let i = start; i < end; i++) {
        const name = order[i] ?? 0;
        keys[i] = this.#bytesAt(name, depth) * INDEX_LIMIT + name;
      }
      part.sort();
      for (let from = start; from < end; ) {
        const bytes = Math.floor((keys[from] ?? 0) / INDEX_LIMIT);
        let to = from;
        while (to < end && Math.floor((keys[to] ?? 0) / INDEX_LIMIT) === bytes) {
          order[to] = (keys[to] ?? 0) % INDEX_LIMIT;
          to++;
        }
        const isEnd = (bytes & 0xff) === 0 || this.#rounds > MAX_ROUNDS;
        if (isEnd) isSame.fill(1, from + 1, to);
        else if (to - from > 1) ranges.push({ start: from, end: to, depth: depth + ROUND });
        from = to;
      }
    }
    const numbers = new Uint32Array(count);
    const [first = 0] = order;
    // The empty name has 0.
    let number = this.#bytesAt(first, 0) === 0 ? 0 : 1;
    for (let i = 0; i < order.length; i++) {
      if (i > 0 && isSame[i] === 0) number++;
      numbers[order[i] ?? 0] = number;
    }
    return numbers;
  }

  /** Sorts a few names whose first `depth` bytes are alike. */
  #sortFew(order: Uint32Array, isSame: Uint8Array, { start, end, depth }: Range): void {
    for (let i = start + 1; i < end; i++) {
      const name = order[i] ?? 0;
      let at = i;
      for (; at > start; at--) {
        const before = order[at - 1] ?? 0;
        if (this.#compare(name, before, depth) >= 0) break;
        order[at] = before;
      }
      order[at] = name;
    }
    for (let i = start + 1; i < end; i++) {
      if (this.#compare(order[i - 1] ?? 0, order[i] ?? 0, depth) === 0) isSame[i] = 1;
    }
  }

  /** As strcmp, of names whose first `depth` bytes are alike. */
  #compare(a: number, b: number, depth: number): number {
    for (let at = depth; this.#rounds <= MAX_ROUNDS; at += ROUND) {
      this.#rounds++;
      const bytes = this.#bytesAt(a, at);
      const difference = bytes - this.#bytesAt(b, at);
      if (difference !== 0 || (bytes & 0xff) === 0) return difference;
    }
    return 0;
  }

  /** Three bytes of a name as a number, the first highest; 0 from its end on. */
  #bytesAt(name: number, depth: number): number {
    const { blob, strEnd } = this.#tables[this.#tableOf[name] ?? 0] ?? NO_STRINGS;
    let at = (this.#starts[name] ?? 0) + depth;
    let bytes = 0;
    for (let i = 0; i < ROUND; i++, at++) {
      const byte = at < strEnd ? (blob[at] ?? 0) : 0;
      if (byte === 0) return bytes << (8 * (ROUND - i));
      bytes = (bytes << 8) | byte;
    }
    return bytes;
  }
}
