/** Makes the columns of what the source says of types and BTF has no place for. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { DwarfSource } from '#model/dwarf.ts';
import { partColumns } from './class-parts.ts';
import { unpackItem } from './item-entries.ts';
import type { NamePool, TypeRecords } from './type-records.ts';

export class SourceColumns {
  readonly #records: TypeRecords;
  readonly #names: NamePool;
  readonly #other: number[] = [];
  readonly #spelling: number[] = [];
  /** Numbers of spellings from 1, by their number in the pool. */
  readonly #spellings = new Map<number, number>();
  readonly #firstItem: number[] = [];
  readonly #items: number[] = [];

  constructor(records: TypeRecords, names: NamePool) {
    this.#records = records;
    this.#names = names;
  }

  /** Adds record `id`, 0 for a type that is none, with those of its items that BTF has. */
  add(id: number, items: readonly number[]): void {
    const { kind, name, ref, itemRef, firstItem, itemCount } = this.#records;
    const own = kind[id];
    const isPointer = own === BtfKind.PTR;
    const isEnum = own === BtfKind.ENUM || own === BtfKind.ENUM64;
    const hasClass = isPointer && itemCount[id] === 1;
    this.#other.push((isEnum ? ref[id] : hasClass ? itemRef[firstItem[id] ?? 0] : 0) ?? 0);
    this.#spelling.push(
      isPointer || own === BtfKind.FUNC_PROTO ? this.#numberOf(name[id] ?? 0) : 0,
    );
    this.#firstItem.push(this.#items.length);
    for (const item of items) this.#items.push(item);
  }

  #numberOf(name: number): number {
    if (name === 0) return 0;
    const known = this.#spellings.get(name) ?? this.#spellings.size + 1;
    this.#spellings.set(name, known);
    return known;
  }

  /** Returns the columns. */
  columns(virtualBases: DwarfSource['virtualBases']): DwarfSource {
    const entries = this.#items.map((item) => unpackItem(this.#records.itemEntry[item] ?? 0));
    const discriminants = new Map<number, bigint>();
    for (const [index, item] of this.#items.entries()) {
      const value = this.#records.discriminants.get(item);
      if (value !== undefined) discriminants.set(index, value);
    }
    // The names of the parts are among the spellings.
    const { parts: records } = this.#records;
    const parts = partColumns(records, (name) => this.#numberOf(name));
    return {
      other: Uint32Array.from(this.#other),
      spelling: Uint32Array.from(this.#spelling),
      spellings: [...this.#spellings.keys()].map((name) => this.#names.nameOf(name)),
      firstItem: Uint32Array.from([...this.#firstItem, this.#items.length]),
      itemEntry: Float64Array.from(entries, ({ die, size }) => (size === 0 ? -1 : die)),
      itemSize: Uint16Array.from(entries, ({ size }) => size),
      itemFlags: Uint8Array.from(entries, ({ flags }) => flags),
      discriminants,
      virtualBases,
      parts,
    };
  }
}
