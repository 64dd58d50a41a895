/**
 * Assigns numbers to names, in the order of strcmp. Each round sorts names that are equal so far by
 * their next three bytes. Sort keys are numbers, not objects: native code sorts numbers faster.
 */
import { tablesOf } from '#model/joined-words.ts';
import { strLenOf, type TypeTable } from '#model/type-table.ts';

/** Bytes of each name that one round compares. */
const ROUND_BYTES = 3;
/** Above the largest index. A key is three bytes times this base plus an index: below 2^53. */
const KEY_BASE = 2 ** 29;
/** Lists of at most this length are sorted by insertion. */
export const MAX_INSERTED = 12;
/** Limit of rounds times names. A kernel takes less than a million; hostile names take more. */
const MAX_ROUNDS = 1 << 24;

/** Sorts `items` from `start` to `end` (exclusive) by insertion. Equal items keep their order. */
export function insertionSort(
  items: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  for (let i = start + 1; i < end; i++) {
    const item = items[i] ?? 0;
    let at = i;
    for (; at > start && compare(item, items[at - 1] ?? 0) < 0; at--)
      items[at] = items[at - 1] ?? 0;
    items[at] = item;
  }
}

/** Assigns order numbers to the names of `types`. */
export class NameOrder {
  readonly #tables: readonly TypeTable[];
  readonly #firstOff: number;
  /** Index plus one of each name, by string offset, while numbers are computed; 0 = not added. */
  readonly #indexAt: Uint32Array;

  constructor(types: TypeTable) {
    this.#tables = tablesOf(types);
    this.#firstOff = this.#tables[0]?.strBase ?? 0;
    this.#indexAt = new Uint32Array(strLenOf(types) - this.#firstOff);
  }

  /**
   * Returns the order number of each name in `nameOffs`. Equal names have equal numbers; the empty
   * name, and an offset outside the strings, has 0. After `MAX_ROUNDS`, names count as equal.
   */
  numbers(nameOffs: Uint32Array): Uint32Array {
    const indexAt = this.#indexAt;
    const firstOff = this.#firstOff;
    const names = new NameList(this.#tables, nameOffs.length);
    for (const nameOff of nameOffs) {
      if (indexAt[nameOff - firstOff] === 0) indexAt[nameOff - firstOff] = names.add(nameOff);
    }
    const numbers = names.numbers();
    // Offsets outside the array are valid: writing there does nothing, reading gives name 0.
    const result = nameOffs.map((nameOff) => numbers[indexAt[nameOff - firstOff] ?? 0] ?? 0);
    for (const nameOff of nameOffs) indexAt[nameOff - firstOff] = 0;
    return result;
  }
}

type Range = { readonly start: number; readonly end: number; readonly depth: number };

const NO_STRINGS = { blob: new Uint8Array(0), strEnd: 0 };

class NameList {
  readonly #tables: readonly TypeTable[];
  /** By index: offset of the name's first byte in the blob of its table. Index 0 is unused. */
  readonly #starts: Uint32Array;
  readonly #tableOf: Uint32Array;
  #count = 1;
  #rounds = 0;

  constructor(tables: readonly TypeTable[], maxNames: number) {
    this.#tables = tables;
    this.#starts = new Uint32Array(maxNames + 1);
    this.#tableOf = new Uint32Array(maxNames + 1);
  }

  /** Adds the name at an offset of the string section, and returns the index of the name. */
  add(nameOff: number): number {
    let table = this.#tables.length - 1;
    while (table > 0 && nameOff < (this.#tables[table]?.strBase ?? 0)) table--;
    const { strStart, strBase } = this.#tables[table] ?? { strStart: 0, strBase: 0 };
    this.#tableOf[this.#count] = table;
    this.#starts[this.#count] = strStart + nameOff - strBase;
    return this.#count++;
  }

  /** Returns the order numbers of all names, by index. */
  numbers(): Uint32Array {
    const count = this.#count;
    const order = Uint32Array.from({ length: count - 1 }, (_, i) => i + 1);
    /** By position in `order`: 1 if the name equals the previous name. */
    const isSame = new Uint8Array(count);
    const keys = new Float64Array(count);
    const ranges: Range[] = [{ start: 0, end: count - 1, depth: 0 }];
    for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
      const { start, end, depth } = range;
      if (end - start <= MAX_INSERTED) {
        this.#sortFew(order, isSame, range);
        continue;
      }
      this.#rounds += end - start;
      const part = keys.subarray(start, end);
      for (let i = start; i < end; i++) {
        const name = order[i] ?? 0;
        keys[i] = this.#bytesAt(name, depth) * KEY_BASE + name;
      }
      part.sort();
      for (let from = start; from < end; ) {
        const bytes = Math.floor((keys[from] ?? 0) / KEY_BASE);
        let to = from;
        while (to < end && Math.floor((keys[to] ?? 0) / KEY_BASE) === bytes) {
          order[to] = (keys[to] ?? 0) % KEY_BASE;
          to++;
        }
        const isEnd = (bytes & 0xff) === 0 || this.#rounds > MAX_ROUNDS;
        if (isEnd) isSame.fill(1, from + 1, to);
        else if (to - from > 1) ranges.push({ start: from, end: to, depth: depth + ROUND_BYTES });
        from = to;
      }
    }
    const numbers = new Uint32Array(count);
    const [first = 0] = order;
    // The empty name has number 0.
    let number = this.#bytesAt(first, 0) === 0 ? 0 : 1;
    for (let i = 0; i < order.length; i++) {
      if (i > 0 && isSame[i] === 0) number++;
      numbers[order[i] ?? 0] = number;
    }
    return numbers;
  }

  /** Sorts a few names whose first `depth` bytes are equal. */
  #sortFew(order: Uint32Array, isSame: Uint8Array, { start, end, depth }: Range): void {
    insertionSort(order, start, end, (a, b) => this.#compare(a, b, depth));
    for (let i = start + 1; i < end; i++) {
      if (this.#compare(order[i - 1] ?? 0, order[i] ?? 0, depth) === 0) isSame[i] = 1;
    }
  }

  /** Compares two names like strcmp. Their first `depth` bytes must be equal. */
  #compare(a: number, b: number, depth: number): number {
    for (let at = depth; this.#rounds <= MAX_ROUNDS; at += ROUND_BYTES) {
      this.#rounds++;
      const bytes = this.#bytesAt(a, at);
      const difference = bytes - this.#bytesAt(b, at);
      if (difference !== 0 || (bytes & 0xff) === 0) return difference;
    }
    return 0;
  }

  /** Returns three bytes of a name as a big-endian number, with zeros after its end. */
  #bytesAt(name: number, depth: number): number {
    const { blob, strEnd } = this.#tables[this.#tableOf[name] ?? 0] ?? NO_STRINGS;
    let at = (this.#starts[name] ?? 0) + depth;
    let bytes = 0;
    for (let i = 0; i < ROUND_BYTES; i++, at++) {
      const byte = at < strEnd ? (blob[at] ?? 0) : 0;
      if (byte === 0) return bytes << (8 * (ROUND_BYTES - i));
      bytes = (bytes << 8) | byte;
    }
    return bytes;
  }
}
