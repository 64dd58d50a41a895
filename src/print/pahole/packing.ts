/**
 * Which structs pahole takes for `__packed__`, and what padding they end with.
 *
 * BTF does not tell; pahole guesses when it comes to print a struct, and what it
 * finds while it prints one may mark the structs in it. A struct that was decided
 * stays so: the outcome depends on the order of printing, which is kept here.
 * The rules: class__infer_packed_attributes and its neighbours of pahole 1.24.
 */
import { emptyLayout, type Layout, layOut, type MemberRows } from './layouts.ts';
import type { Records } from './records.ts';
import type { Sizes } from './sizes.ts';

const DECIDED = 1;
const PACKED = 2;
/** The padding is known. */
const LAID_OUT = 4;

export class Packing {
  readonly #records: Records;
  readonly #sizes: Sizes;
  readonly #rows: MemberRows;
  /** By id. */
  readonly #states: Uint8Array;
  readonly #paddings: Uint16Array;
  readonly #scratch = emptyLayout();

  constructor(records: Records, sizes: Sizes, rows: MemberRows) {
    this.#records = records;
    this.#sizes = sizes;
    this.#rows = rows;
    this.#states = new Uint8Array(records.last + 1 - records.first);
    this.#paddings = new Uint16Array(records.last + 1 - records.first);
  }

  /** Is the struct taken for packed? False until it was decided. */
  isPacked(id: number): boolean {
    return ((this.#states[id - this.#records.first] ?? 0) & PACKED) !== 0;
  }

  /** Decides on a struct whose members are in the rows of `layout`. */
  decide(id: number, layout: Layout): void {
    const index = id - this.#records.first;
    const state = (this.#states[index] ?? 0) | LAID_OUT;
    this.#states[index] = state | DECIDED;
    this.#paddings[index] = layout.padding;
    if ((state & DECIDED) !== 0) return;
    if (layout.padding !== 0 || layout.holeCount !== 0) this.#markUnaligned(layout);
    else if (this.#looksPacked(id, layout)) this.#states[index] = state | DECIDED | PACKED;
  }

  /** Decides on a struct that is a member's type, and gives its padding in bytes. */
  paddingOf(id: number): number {
    const index = id - this.#records.first;
    const known = DECIDED | LAID_OUT;
    if (((this.#states[index] ?? 0) & known) !== known) {
      layOut(this.#records, this.#sizes, id, this.#rows, this.#scratch);
      this.decide(id, this.#scratch);
      this.#rows.count = this.#scratch.first;
    }
    return this.#paddings[index] ?? 0;
  }

  /** Structs in a union that could not lie in an array of such unions must be packed. */
  decideUnion(id: number, layout: Layout): void {
    const index = id - this.#records.first;
    if (((this.#states[index] ?? 0) & DECIDED) !== 0) return;
    const size = this.#records.size(id);
    for (let row = layout.first; row < layout.end; row++) this.#markIfUnaligned(row, size);
    this.#states[index] = DECIDED;
  }

  #markUnaligned(layout: Layout): void {
    for (let row = layout.first; row < layout.end; row++) {
      this.#markIfUnaligned(row, this.#rows.byteOffset[row] ?? 0);
    }
  }

  /** Marks the member's struct as packed when `offset` is no multiple of its alignment. */
  #markIfUnaligned(row: number, offset: number): void {
    if (offset % (this.#rows.natural[row] ?? 1) === 0) return;
    const type = this.#rows.stripped[row] ?? 0;
    if (this.#records.keyword(type) !== 'struct') return;
    const index = type - this.#records.first;
    this.#states[index] = (this.#states[index] ?? 0) | DECIDED | PACKED;
  }

  /** Nothing is left between the members, though alignment would have it so. */
  #looksPacked(id: number, layout: Layout): boolean {
    const { natural: naturals, byteOffset } = this.#rows;
    let widest = 1;
    for (let row = layout.first; row < layout.end; row++) {
      const natural = naturals[row] ?? 1;
      if (natural === 1) continue;
      if (widest < natural) widest = natural & 0xffff;
      if ((byteOffset[row] ?? 0) % natural !== 0) return true;
    }
    return widest !== 0 && this.#records.size(id) % widest !== 0;
  }
}
