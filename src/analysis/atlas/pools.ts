/** Pools of unique number sequences and of unique names, numbered from 0 in insertion order. */

/** Unique sequences of 32-bit numbers in shared arrays; an atlas has hundreds of thousands. */
export class SequencePool {
  /** Random seed per pool, so that no file can force hash collisions. */
  readonly #seed = (Math.random() * 0x7fffffff) | 0;
  #words = new Int32Array(1 << 12);
  /** Start of each sequence in `#words`, and end of the last sequence. */
  #starts = new Int32Array(1 << 10);
  #hashes = new Int32Array(1 << 10);
  /** Hash table with open addressing: number of the sequence + 1, 0 = free. */
  #slots = new Int32Array(1 << 11);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the number of the sequence `words[0]` to `words[length - 1]`; adds it if it is new. */
  intern(words: Int32Array, length: number): number {
    let hash = this.#seed ^ length;
    for (let i = 0; i < length; i++) {
      hash = Math.imul(hash ^ (words[i] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    hash ^= hash >>> 13;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = (this.#slots[slot] ?? 0) - 1;
      if (found < 0) return this.#add(words, length, hash, slot);
      if (this.#hashes[found] === hash && this.#equals(found, words, length)) return found;
    }
  }

  /** Total length of all sequences, in 32-bit numbers. */
  get size(): number {
    return this.#starts[this.#count] ?? 0;
  }

  length(id: number): number {
    return (this.#starts[id + 1] ?? 0) - (this.#starts[id] ?? 0);
  }

  /** Returns the number at position `index` of sequence `id`; 0 outside the pool. */
  word(id: number, index: number): number {
    return this.#words[(this.#starts[id] ?? 0) + index] ?? 0;
  }

  /** Returns sequence `id` as a view, which is valid until the next insertion. */
  sequence(id: number): Int32Array {
    return this.#words.subarray(this.#starts[id] ?? 0, this.#starts[id + 1] ?? 0);
  }

  #equals(id: number, words: Int32Array, length: number): boolean {
    const start = this.#starts[id] ?? 0;
    if ((this.#starts[id + 1] ?? 0) - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.#words[start + i] !== words[i]) return false;
    return true;
  }

  #add(words: Int32Array, length: number, hash: number, slot: number): number {
    const id = this.#count++;
    const start = this.#starts[id] ?? 0;
    if (start + length > this.#words.length) {
      this.#words = grown(this.#words, Math.max(2 * this.#words.length, start + length));
    }
    if (id + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts, 2 * this.#starts.length);
      this.#hashes = grown(this.#hashes, 2 * this.#hashes.length);
    }
    this.#words.set(words.subarray(0, length), start);
    this.#starts[id + 1] = start + length;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (2 * this.#count > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#count; id++) {
      let slot = (this.#hashes[id] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

/** A set of numbers that is cleared in constant time. */
export class Marks {
  #round = 0;
  #of = new Int32Array(0);

  /** Clears the set and allows numbers below `count`. */
  begin(count: number): void {
    this.#round++;
    if (count > this.#of.length) this.#of = grown(this.#of, count + (count >> 1));
  }

  /** Marks `number`. Returns true if `number` was already marked. */
  mark(number: number): boolean {
    const isMarked = this.#of[number] === this.#round;
    this.#of[number] = this.#round;
    return isMarked;
  }
}

/** Returns a copy of `list` with room for at least `length` numbers. */
export function grown(list: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length);
  longer.set(list);
  return longer;
}

const utf8 = new TextEncoder();

/** Unique names and other short texts, as bytes without NUL. */
export class NamePool {
  readonly #pool = new SequencePool();
  #packed = new Int32Array(64);

  constructor() {
    this.intern(new Uint8Array(0), 0, 0);
  }

  /** Number of names, including the empty name, which is number 0. */
  get count(): number {
    return this.#pool.count;
  }

  /** Returns the number of the name at `start` to `end` of `bytes`, which must contain no NUL. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const length = (end - start + 3) >> 2;
    if (length > this.#packed.length) this.#packed = new Int32Array(2 * length);
    let at = start;
    for (let i = 0; i < length; i++, at += 4) {
      this.#packed[i] =
        at + 4 <= end
          ? (bytes[at] ?? 0) |
            ((bytes[at + 1] ?? 0) << 8) |
            ((bytes[at + 2] ?? 0) << 16) |
            ((bytes[at + 3] ?? 0) << 24)
          : tail(bytes, at, end);
    }
    return this.#pool.intern(this.#packed, length);
  }

  /** Returns the number of the name that is `text` in UTF-8. */
  internText(text: string): number {
    const bytes = utf8.encode(text);
    return this.intern(bytes, 0, bytes.length);
  }

  bytes(id: number): Uint8Array {
    const words = this.#pool.sequence(id);
    const bytes = new Uint8Array(4 * words.length);
    for (const [i, word] of words.entries()) {
      for (let part = 0; part < 4; part++) bytes[4 * i + part] = word >>> (8 * part);
    }
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end--;
    return bytes.subarray(0, end);
  }
}

function tail(bytes: Uint8Array, start: number, end: number): number {
  let word = 0;
  for (let at = start; at < end; at++) word |= (bytes[at] ?? 0) << (8 * (at - start));
  return word;
}

/** Number of the empty set. */
const EMPTY_SET = 0;

/** Sets of kernels, each stored as a smaller set and one kernel, so equal sets share storage. */
export class PresenceSets {
  #without = new Int32Array(1024);
  #kernel = new Int32Array(1024);
  #count = 1;
  #ofRow = new Int32Array(1024);

  /** Adds `kernel`, the greatest so far, to the set of each row; `rows` contains no duplicates. */
  add(kernel: number, rows: Int32Array): void {
    const grownSets = new Map<number, number>();
    for (const row of rows) {
      if (row >= this.#ofRow.length) {
        this.#ofRow = grown(this.#ofRow, Math.max(2 * this.#ofRow.length, row + 1));
      }
      const before = this.#ofRow[row] ?? EMPTY_SET;
      let after = grownSets.get(before);
      if (after === undefined) {
        after = this.#add(before, kernel);
        grownSets.set(before, after);
      }
      this.#ofRow[row] = after;
    }
  }

  /** Sets the kernels of a row without kernels. `known`: set numbers by joined kernel numbers. */
  set(row: number, kernels: readonly number[], known: Map<string, number>): void {
    if (row >= this.#ofRow.length) {
      this.#ofRow = grown(this.#ofRow, Math.max(2 * this.#ofRow.length, row + 1));
    }
    const key = kernels.join();
    const set =
      known.get(key) ?? kernels.reduce((before, kernel) => this.#add(before, kernel), EMPTY_SET);
    known.set(key, set);
    this.#ofRow[row] = set;
  }

  /** Returns the number of the row's set; equal sets have equal numbers. */
  of(row: number): number {
    return this.#ofRow[row] ?? EMPTY_SET;
  }

  /** Returns the kernel numbers of a set; the kernel that was added last comes first. */
  kernels(set: number): number[] {
    const kernels: number[] = [];
    for (let at = set; at !== EMPTY_SET; at = this.#without[at] ?? EMPTY_SET) {
      kernels.push(this.#kernel[at] ?? 0);
    }
    return kernels;
  }

  #add(without: number, kernel: number): number {
    if (this.#count === this.#kernel.length) {
      this.#without = grown(this.#without, 2 * this.#count);
      this.#kernel = grown(this.#kernel, 2 * this.#count);
    }
    this.#without[this.#count] = without;
    this.#kernel[this.#count] = kernel;
    return this.#count++;
  }
}
