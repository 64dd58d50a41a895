/** Texts of types as C declarators without a name; kernels with the same record share a text. */
import { declaratorText, tagKeyword } from '#analysis/types/declarator.ts';
import type { TypeId } from '#model/ids.ts';
import { nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { grown } from './pools.ts';
import type { KernelRecords, RecordStore } from './records.ts';

/** Maximum length of a text in characters; texts of real kernels have less than 500. */
const MAX_LENGTH = 2000;
/** Text that replaces a type's text after the budget of the file is spent. */
const LEFT_OUT = '…';

export class TypeTexts {
  readonly #store: RecordStore;
  /** Number of the text in the name pool, by record and by symbol; -1 for an unwritten text. */
  #ofRecord = new Int32Array(0);
  #ofSymbol = new Int32Array(0);
  readonly #void: number;

  constructor(store: RecordStore) {
    this.#store = store;
    this.#void = store.names.internText('void');
  }

  /** Returns a function that returns the text of a type of `kernel` as the number of a name. */
  in(kernel: KernelRecords): (id: TypeId) => number {
    const { types, record, symbol, base } = kernel;
    const inBase = base === null ? null : this.in(base);
    /** Texts of types that have no record. */
    const unrecorded = new Map<TypeId, number>();
    this.#ofRecord = reaching(this.#ofRecord, this.#store.records.count);
    this.#ofSymbol = reaching(this.#ofSymbol, this.#store.symbols.count);
    // Characters that may still be written, since a small file can describe very long texts.
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
        const number = unrecorded.get(id) ?? write(id);
        unrecorded.set(id, number);
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

/** Returns `list` with at least `length` elements; new elements are -1. */
function reaching(list: Int32Array, length: number): Int32Array<ArrayBuffer> {
  return grown(list, Math.max(length, list.length)).fill(-1, list.length);
}

function typeText(t: TypeTable, id: TypeId): string {
  const keyword = tagKeyword(t, id);
  const isPlain = keyword !== '' && nameOffOf(t, id) !== 0;
  if (isPlain) return `${keyword} ${nameOf(t, id, 4 * MAX_LENGTH)}`;
  return declaratorText(t, id, '', MAX_LENGTH, { tags: false }).replaceAll('{…}', '{...}');
}
