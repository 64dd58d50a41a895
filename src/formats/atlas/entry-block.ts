/**
 * A block of entries: its strings, its sets of kernels, its entries in the order of their names.
 * Strings and sets are numbered in the order in which the entries first name them, so that a
 * reference is 0 for the next one and its number + 1 for one that was there.
 */
import { type Entry, EntryKind, type EntryRow } from './entry.ts';
import { readKernelSet, writeKernelSet } from './kernel-set.ts';
import { VarintReader, VarintWriter } from './varints.ts';

const SEPARATOR = Uint8Array.of(0);

/** Numbers things in the order in which they are first named. */
class References {
  readonly #known = new Map<number | string, number>();

  constructor(first: readonly number[] = []) {
    for (const key of first) this.#known.set(key, this.#known.size);
  }

  /** Writes a reference to `key`; true where that is the first one. */
  write(out: VarintWriter, key: number | string): boolean {
    const known = this.#known.get(key);
    out.uint(known === undefined ? 0 : known + 1);
    if (known === undefined) this.#known.set(key, this.#known.size);
    return known === undefined;
  }

  get count(): number {
    return this.#known.size;
  }
}

export class EntryBlockWriter {
  readonly #kernelCount: number;
  readonly #bytesOf: (string: number) => Uint8Array;
  readonly #strings = new VarintWriter();
  readonly #stringRefs = new References([0]);
  readonly #sets = new VarintWriter();
  readonly #setRefs = new References();
  readonly #entries = new VarintWriter();
  #count = 0;

  /** `bytesOf` gives the bytes of a string; string 0 must be the empty one. */
  constructor(kernelCount: number, bytesOf: (string: number) => Uint8Array) {
    this.#kernelCount = kernelCount;
    this.#bytesOf = bytesOf;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#strings.length + this.#sets.length + this.#entries.length;
  }

  /** Adds an entry, which must come after those before it. */
  add(entry: Entry): void {
    this.#count++;
    this.#string(entry.name);
    const out = this.#entries;
    out.uint(entry.variants.length);
    switch (entry.kind) {
      case EntryKind.struct:
      case EntryKind.union:
        this.#composites(entry);
        break;
      case EntryKind.enum:
        this.#enums(entry);
        break;
      case EntryKind.func:
        for (const [type = 0, ...params] of entry.variants) {
          this.#string(type);
          out.uint(params.length / 2);
          for (let i = 0; i < params.length; i += 2) this.#string(params[i] ?? 0);
          for (let i = 1; i < params.length; i += 2) this.#string(params[i] ?? 0);
        }
        break;
      default:
        for (const [type = 0, size = 0] of entry.variants) {
          this.#string(type);
          out.uint(size);
        }
    }
    this.#rows(entry.rows);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const out = new VarintWriter();
    out.uint(this.#count);
    out.uint(this.#stringRefs.count);
    out.counted(this.#strings.finish());
    out.uint(this.#setRefs.count);
    out.bytes(this.#sets.finish());
    out.bytes(this.#entries.finish());
    return out.finish();
  }

  #string(string: number): void {
    if (!this.#stringRefs.write(this.#entries, string)) return;
    this.#strings.bytes(this.#bytesOf(string));
    this.#strings.bytes(SEPARATOR);
  }

  /** Members of all variants once, then of each variant which they are and where. */
  #composites({ variants }: Entry): void {
    const out = this.#entries;
    const { pool, lists } = pooled(variants, 1, 4, 3);
    out.uint(pool.length / 3);
    for (let i = 0; i < pool.length; i += 3) this.#string(pool[i] ?? 0);
    for (let i = 1; i < pool.length; i += 3) this.#string(pool[i] ?? 0);
    for (let i = 2; i < pool.length; i += 3) out.uint(scaled(pool[i] ?? 0));
    const offsets = new OffsetGuess();
    for (const [v, variant] of variants.entries()) {
      const list = lists[v] ?? [];
      out.uint(variant[0] ?? 0);
      writeList(out, list);
      offsets.begin();
      for (const [i, member] of list.entries()) {
        const offset = variant[4 + 4 * i] ?? 0;
        const off = offset - offsets.guess(member);
        out.uint(off % 8 === 0 ? 2 * zigzag(off / 8) : 2 * zigzag(off) + 1);
        offsets.found(member, offset, pool[3 * member + 2] ?? 0);
      }
    }
  }

  #enums({ variants }: Entry): void {
    const out = this.#entries;
    const { pool, lists } = pooled(variants, 2, 3, 3);
    out.uint(pool.length / 3);
    for (let i = 0; i < pool.length; i += 3) this.#string(pool[i] ?? 0);
    let last = 0;
    for (let i = 0; i < pool.length; i += 3) {
      const value = (pool[i + 2] ?? 0) * 2 ** 32 + ((pool[i + 1] ?? 0) >>> 0);
      const isSmall = Math.abs(value) < 2 ** 50;
      out.uint(isSmall ? 2 * zigzag(value - last) : 1);
      if (!isSmall) {
        out.uint((pool[i + 1] ?? 0) >>> 0);
        out.uint((pool[i + 2] ?? 0) >>> 0);
      } else last = value;
    }
    for (const [v, variant] of variants.entries()) {
      out.uint(2 * (variant[0] ?? 0) + (variant[1] ?? 0));
      writeList(out, lists[v] ?? []);
    }
  }

  #rows(rows: readonly EntryRow[]): void {
    const out = this.#entries;
    out.uint(rows.length);
    for (const [r, { variants, kernels }] of rows.entries()) {
      if (this.#setRefs.write(out, kernels.join())) {
        writeKernelSet(this.#sets, kernels, this.#kernelCount);
      }
      out.uint(variants.length);
      for (const [i, variant] of variants.entries())
        out.sint(variant - (i === 0 ? r : (variants[i - 1] ?? 0)));
    }
  }
}

/** Reads a block of entries of `kind`. */
export type EntryBlock = {
  readonly strings: readonly Uint8Array[];
  readonly entries: readonly Entry[];
};

/** The entries of a block of `kind`, about `kernelCount` kernels. Throws `Malformed`. */
export function readEntryBlock(
  bytes: Uint8Array,
  kind: number,
  kernelCount: number,
  region: string,
): EntryBlock {
  return new BlockReading(bytes, kind, kernelCount, region).block();
}

class BlockReading {
  readonly #from: VarintReader;
  readonly #kind: number;
  readonly #count: number;
  readonly #strings: readonly Uint8Array[];
  readonly #sets: number[][] = [];
  #freshString = 1;
  #freshSet = 0;

  constructor(bytes: Uint8Array, kind: number, kernelCount: number, region: string) {
    const from = new VarintReader(bytes, region);
    this.#from = from;
    this.#kind = kind;
    this.#count = from.count('the number of entries', 3);
    const strings = from.uint('the number of strings');
    this.#strings = readStrings(from.counted('the strings'), strings, from);
    const sets = from.count('the number of sets');
    // A set of a thousand kernels may take three bytes.
    let members = 64 * bytes.length + kernelCount;
    for (let i = 0; i < sets; i++) {
      const set = readKernelSet(from, kernelCount);
      members -= set.length;
      if (members < 0) throw from.malformed('the sets of kernels are too large');
      this.#sets.push(set);
    }
  }

  block(): EntryBlock {
    const entries: Entry[] = [];
    for (let i = 0; i < this.#count; i++) entries.push(this.#entry());
    return { strings: this.#strings, entries };
  }

  #entry(): Entry {
    const name = this.#string();
    const count = this.#from.count('the number of variants');
    const variants = this.#variants(count);
    return { kind: this.#kind, name, variants, rows: this.#rows(count) };
  }

  #variants(count: number): number[][] {
    switch (this.#kind) {
      case EntryKind.struct:
      case EntryKind.union:
        return this.#composites(count);
      case EntryKind.enum:
        return this.#enums(count);
      case EntryKind.func:
        return Array.from({ length: count }, () => {
          const type = this.#string();
          const params = this.#from.count('the number of parameters', 2);
          const names = this.#stringList(params);
          const types = this.#stringList(params);
          return [type, ...names.flatMap((name, i) => [name, types[i] ?? 0])];
        });
      default:
        return Array.from({ length: count }, () => [this.#string(), this.#from.uint('a size')]);
    }
  }

  #string(): number {
    const code = this.#from.uint('a string');
    const string = code === 0 ? this.#freshString++ : code - 1;
    if (string >= this.#strings.length) throw this.#from.malformed(`there is no string ${string}`);
    return string;
  }

  #stringList(length: number): number[] {
    return Array.from({ length }, () => this.#string());
  }

  #composites(count: number): number[][] {
    const from = this.#from;
    const length = from.count('the number of members', 3);
    const names = this.#stringList(length);
    const types = this.#stringList(length);
    const bits = names.map(() => unscaled(from.uint('a width')));
    const offsets = new OffsetGuess();
    return Array.from({ length: count }, () => {
      const variant = [from.uint('a size')];
      const list = this.#list(length);
      offsets.begin();
      for (const member of list) {
        const code = from.uint('an offset');
        const off = code % 2 === 0 ? 8 * unzigzag(code / 2) : unzigzag((code - 1) / 2);
        const offset = offsets.guess(member) + off;
        if (!(offset >= 0 && offset <= Number.MAX_SAFE_INTEGER))
          throw from.malformed('an offset is wrong');
        const width = bits[member] ?? 0;
        variant.push(names[member] ?? 0, types[member] ?? 0, width, offset);
        offsets.found(member, offset, width);
      }
      return variant;
    });
  }

  #enums(count: number): number[][] {
    const from = this.#from;
    const length = from.count('the number of enumerators', 2);
    const names = this.#stringList(length);
    let last = 0;
    const values = names.map(() => {
      const code = from.uint('a value');
      if (code % 2 === 1) return [from.uint('a value') | 0, from.uint('a value') | 0] as const;
      last += unzigzag(code / 2);
      if (!Number.isSafeInteger(last)) throw from.malformed('a value is wrong');
      return [last | 0, Math.floor(last / 2 ** 32) | 0] as const;
    });
    return Array.from({ length: count }, () => {
      const head = from.uint('a size');
      const variant = [Math.floor(head / 2), head % 2];
      for (const item of this.#list(length)) {
        const [low = 0, high = 0] = values[item] ?? [];
        variant.push(names[item] ?? 0, low, high);
      }
      return variant;
    });
  }

  /** A list of items below `limit`. */
  #list(limit: number): number[] {
    const length = this.#from.count('the number of items');
    let last = -1;
    return Array.from({ length }, () => {
      last += 1 + this.#from.sint('an item');
      if (!(last >= 0 && last < limit)) throw this.#from.malformed(`there is no item ${last}`);
      return last;
    });
  }

  #rows(variantCount: number): EntryRow[] {
    const from = this.#from;
    const rows = from.count('the number of rows', 3);
    return Array.from({ length: rows }, (_, r) => {
      const code = from.uint('a set of kernels');
      const kernels = this.#sets[code === 0 ? this.#freshSet++ : code - 1];
      if (kernels === undefined) throw from.malformed('there is no such set of kernels');
      let last = r;
      const variants = Array.from({ length: from.count('the number of definitions') }, () => {
        last += from.sint('a variant');
        if (!(last >= 0 && last < variantCount))
          throw from.malformed(`there is no variant ${last}`);
        return last;
      });
      if (variants.length === 0) throw from.malformed('a kernel has no variant');
      return { variants, kernels };
    });
  }
}

function readStrings(bytes: Uint8Array, count: number, from: VarintReader): Uint8Array[] {
  const strings = [new Uint8Array(0)] as Uint8Array[];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    if (end < 0) break;
    strings.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (strings.length !== count)
    throw from.malformed(`there are ${strings.length} strings, not ${count}`);
  return strings;
}

/** The first `kept` numbers of each item of the variants once, and of each variant which they are. */
function pooled(
  variants: readonly (readonly number[])[],
  head: number,
  size: number,
  kept: number,
): { readonly pool: readonly number[]; readonly lists: readonly (readonly number[])[] } {
  const pool: number[] = [];
  const known = new Map<string, number>();
  const lists = variants.map((variant) => {
    const list: number[] = [];
    for (let at = head; at < variant.length; at += size) {
      const item = variant.slice(at, at + kept);
      const key = item.join();
      const number = known.get(key) ?? known.size;
      if (number === known.size) {
        known.set(key, number);
        pool.push(...item);
      }
      list.push(number);
    }
    return list;
  });
  return { pool, lists };
}

/** Each number as how far it is from the one after the last. */
function writeList(out: VarintWriter, list: readonly number[]): void {
  out.uint(list.length);
  for (const [i, item] of list.entries()) out.sint(item - ((list[i - 1] ?? -1) + 1));
}

/**
 * Where a member of a variant will be: moved against the variant before that has it as the member
 * before it was, else behind that.
 */
class OffsetGuess {
  readonly #last = new Map<number, number>();
  #moved = 0;
  #end = 0;

  begin(): void {
    this.#moved = 0;
    this.#end = 0;
  }

  guess(member: number): number {
    const last = this.#last.get(member);
    return last === undefined ? this.#end : last + this.#moved;
  }

  found(member: number, offset: number, bits: number): void {
    const last = this.#last.get(member);
    if (last !== undefined) this.#moved = offset - last;
    this.#end = offset + bits;
    this.#last.set(member, offset);
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}

/** Whole bytes as an even number, other bits as an odd one. */
function scaled(bits: number): number {
  return bits % 8 === 0 ? bits / 4 : 2 * bits + 1;
}

function unscaled(code: number): number {
  return code % 2 === 0 ? 4 * code : (code - 1) / 2;
}
