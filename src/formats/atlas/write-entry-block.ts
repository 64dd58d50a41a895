/**
 * Writes a block of entries by name, with its strings and sets of kernels. The first reference to a
 * string or set is 0; a later reference is the number of the string or set, plus 1.
 */
import { append } from '#bytes/arrays.ts';
import {
  type Entry,
  EntryKind,
  OffsetGuess,
  scaled,
  type WrittenRow,
  writeKernelSet,
} from './entry.ts';
import { VarintWriter, zigzag } from './varints.ts';

const SEPARATOR = Uint8Array.of(0);

/** Gives numbers to keys in the order of their first use. */
class References<Key> {
  readonly #known = new Map<Key, number>();

  constructor(first: readonly Key[] = []) {
    for (const key of first) this.#known.set(key, this.#known.size);
  }

  /** Writes a reference to `key`. Returns true if the key is new. */
  write(out: VarintWriter, key: Key): boolean {
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
  readonly #holderCount: number;
  readonly #bytesOf: (string: number) => Uint8Array;
  readonly #strings = new VarintWriter();
  readonly #stringRefs = new References<number>([0]);
  readonly #sets = new VarintWriter();
  readonly #setRefs = new References<readonly number[]>();
  readonly #entries = new VarintWriter();
  #count = 0;

  /** `holderCount` counts kernels and modules. `bytesOf` returns the bytes of a string. */
  constructor(holderCount: number, bytesOf: (string: number) => Uint8Array) {
    this.#holderCount = holderCount;
    this.#bytesOf = bytesOf;
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#strings.length + this.#sets.length + this.#entries.length;
  }

  /** Adds an entry. The caller must add entries in the order of their names in the block. */
  add(entry: Entry<WrittenRow>): void {
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

  /** Writes each member once, then for each variant the numbers and offsets of its members. */
  #composites({ variants }: Entry<WrittenRow>): void {
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
        offsets.add(member, offset, pool[3 * member + 2] ?? 0);
      }
    }
  }

  #enums({ variants }: Entry<WrittenRow>): void {
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

  #rows(rows: readonly WrittenRow[]): void {
    const out = this.#entries;
    out.uint(rows.length);
    for (const [r, { variants, holders }] of rows.entries()) {
      if (this.#setRefs.write(out, holders)) {
        writeKernelSet(this.#sets, holders, this.#holderCount);
      }
      out.uint(variants.length);
      for (const [i, variant] of variants.entries())
        out.sint(variant - (i === 0 ? r : (variants[i - 1] ?? 0)));
    }
  }
}

/** Returns the distinct items (cut to `width` numbers), and for each variant the item indexes. */
function pooled(
  variants: readonly (readonly number[])[],
  head: number,
  size: number,
  width: number,
): { readonly pool: readonly number[]; readonly lists: readonly (readonly number[])[] } {
  const pool: number[] = [];
  const known = new Map<string, number>();
  const lists = variants.map((variant) => {
    const list: number[] = [];
    for (let at = head; at < variant.length; at += size) {
      const item = variant.slice(at, at + width);
      const key = item.join();
      const number = known.get(key) ?? known.size;
      if (number === known.size) {
        known.set(key, number);
        append(pool, item);
      }
      list.push(number);
    }
    return list;
  });
  return { pool, lists };
}

function writeList(out: VarintWriter, list: readonly number[]): void {
  out.uint(list.length);
  for (const [i, item] of list.entries()) out.sint(item - ((list[i - 1] ?? -1) + 1));
}
