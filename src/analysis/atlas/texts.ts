/**
 * Types as text, as an atlas has them: C as an abstract declarator, without type tags, in which
 * types without a name are `struct {...}`. Each type is written once for all kernels that have
 * the same record of it.
 */
import { declaratorText, tagKeyword } from '#analysis/types/declarator.ts';
import type { TypeId } from '#model/ids.ts';
import { nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { grown } from './pools.ts';
import type { KernelRecords, RecordStore } from './records.ts';

/** Characters of one text; nothing in a kernel has 500. */
const MAX_LENGTH = 2000;
/** Stands for a text beyond what a file of its size may ask for. */
const LEFT_OUT = '…';

export class TypeTexts {
  readonly #store: RecordStore;
  /** By record and by symbol: number of the text among the names, -1 where it is not known. */
  #ofRecord = new Int32Array(0);
  #ofSymbol = new Int32Array(0);
  readonly #void: number;

  constructor(store: RecordStore) {
    this.#store = store;
    this.#void = store.names.internText('void');
  }

  /** What gives the text of each type of `kernel`, as the number of a name. */
  in(kernel: KernelRecords): (id: TypeId) => number {
    const { types, record, symbol, base } = kernel;
    const inBase = base === null ? null : this.in(base);
    /** Texts of types that have no record. */
    const own = new Map<TypeId, number>();
    this.#ofRecord = reaching(this.#ofRecord, this.#store.records.count);
    this.#ofSymbol = reaching(this.#ofSymbol, this.#store.symbols.count);
    // A few bytes may ask for texts without end.
    let left = 16 * types.blob.length + 65_536;
    const write = (id: TypeId) => {
      const text = left < 0 ? LEFT_OUT : typeText(types, id);
      left -= text.length;
      return this.#store.names.internText(text);
    };
    return (id) => {
      if (id === 0) return this.#void;
      const row = id - types.firstId;
      if (row < 0 && inBase !== null) return inBase(id);
      if (row < 0 || row >= types.count) return write(id);
      const named = symbol[row] ?? -1;
      const known = named >= 0 ? this.#ofSymbol : this.#ofRecord;
      const key = named >= 0 ? named : (record[row] ?? 0);
      if (key < 0) {
        const number = own.get(id) ?? write(id);
        own.set(id, number);
        return number;
      }
      const text = known[key] ?? -1;
      if (text >= 0) return text;
      const written = write(id);
      known[key] = written;
      return written;
    };
  }
}

/** `list` with -1 up to `length`. */
function reaching(list: Int32Array, length: number): Int32Array<ArrayBuffer> {
  return grown(list, Math.max(length, list.length)).fill(-1, list.length);
}

function typeText(t: TypeTable, id: TypeId): string {
  const keyword = tagKeyword(t, id);
  const isPlain = keyword !== '' && nameOffOf(t, id) !== 0;
  if (isPlain) return `${keyword} ${nameOf(t, id, 4 * MAX_LENGTH)}`;
  return declaratorText(t, id, '', MAX_LENGTH, { tags: false }).replaceAll('{…}', '{...}');
}
