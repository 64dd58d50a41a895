/** Unique records of many kernels. A record refers to a named type by kind and name. */
import type { Exception } from '#formats/atlas/kernel-block.ts';
import {
  kindOfRecord,
  refToRecord,
  refToSymbol,
  roleOf,
  WordRole,
} from '#formats/atlas/record-words.ts';
import { BtfKind, infoKind } from '#formats/btf/kinds.ts';
import { namePlace } from '#model/names.ts';
import type { TypeTable } from '#model/type-table.ts';
import { grown, Marks, NamePool, SequencePool } from './pools.ts';

/** Returns true if kind and name identify a type of this kind; tags also depend on their target. */
function isNamed(kind: number): boolean {
  return kind !== BtfKind.TYPE_TAG && kind !== BtfKind.DECL_TAG;
}

/** The records of one kernel or module. */
export type KernelRecords = {
  readonly types: TypeTable;
  readonly record: Int32Array;
  /** Number of each row's kind and name in `symbols`; -1 for rows without a name. */
  readonly symbol: Int32Array;
  /** Numbers of the names, in the order of the string section. */
  readonly strings: Int32Array;
  readonly exceptions: readonly Exception[];
  /** True if the records reproduce the types and strings exactly. */
  readonly isExact: boolean;
  /** Returns the number of the name at `offset` in the string sections of base and module. */
  nameAt(offset: number): number;
  readonly base: KernelRecords | null;
};

export class RecordStore {
  readonly names = new NamePool();
  /** Kind and name of each symbol. */
  readonly symbols = new SequencePool();
  /** Words of each record; references to names and types are numbers of this store. */
  readonly records = new SequencePool();
  readonly marks = new Marks();

  add(types: TypeTable): KernelRecords {
    return new Adding(this, types).result();
  }

  /** Adds only the names of a module of `kernel`, without records. */
  addNames(types: TypeTable, kernel: KernelRecords): KernelRecords {
    return new Adding(this, types, kernel).names();
  }

  /** Copies the records `used` (ascending) of `from`. Returns the new number by old number. */
  take(from: OtherRecords, used: Iterable<number>): Int32Array {
    const numbers = new Int32Array(from.records.length);
    const name = (other: number) => {
      const bytes = from.name(other);
      return this.names.intern(bytes, 0, bytes.length);
    };
    const pair = new Int32Array(2);
    const ref = (other: number) => {
      if (other === 0) return 0;
      if (other % 2 === 1) return refToRecord(numbers[(other - 1) / 2] ?? 0);
      const [kind = 0, named = 0] = from.symbols[(other - 2) / 2] ?? [];
      pair[0] = kind;
      pair[1] = name(named);
      return refToSymbol(this.symbols.intern(pair, 2));
    };
    for (const record of used) {
      const words = from.records[record] ?? new Int32Array(0);
      const kind = kindOfRecord(words);
      const renumbered = words.map((word, i) => {
        const role = roleOf(kind, i);
        return role === WordRole.number ? word : role === WordRole.name ? name(word) : ref(word);
      });
      numbers[record] = this.records.intern(renumbered, renumbered.length);
    }
    return numbers;
  }
}

/** Records of another store; their names are numbers of that other store. */
export type OtherRecords = {
  readonly records: readonly Int32Array[];
  readonly symbols: readonly (readonly [kind: number, name: number])[];
  name(number: number): Uint8Array;
};

/** State while one kernel is added to the store. */
class Adding {
  readonly #store: RecordStore;
  readonly #types: TypeTable;
  readonly #base: KernelRecords | null;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #nameAt: Int32Array;
  readonly #record: Int32Array;
  readonly #symbol: Int32Array;
  readonly #strings: Int32Array;
  #words = new Int32Array(64);
  #isExact = true;
  /** Bytes that may still be spent on names that begin inside other strings. */
  #left: number;

  constructor(store: RecordStore, types: TypeTable, base: KernelRecords | null = null) {
    const { blob, count } = types;
    this.#store = store;
    this.#types = types;
    this.#base = base;
    this.#view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    this.#little = types.endian === 'little';
    this.#left = 2 * blob.length;
    this.#nameAt = new Int32Array(types.strEnd - types.strStart).fill(-1);
    this.#strings = this.#takeStrings();
    this.#record = new Int32Array(count).fill(-1);
    this.#symbol = new Int32Array(count).fill(-1);
  }

  result(): KernelRecords {
    const { count } = this.#types;
    this.#takeSymbols();
    for (let row = 0; row < count; row++) this.#takeRecord(row);
    return { ...this.names(), exceptions: this.#exceptions(), isExact: this.#isExact };
  }

  /** Returns the kernel with names only: records and symbols are -1. */
  names(): KernelRecords {
    return {
      types: this.#types,
      record: this.#record,
      symbol: this.#symbol,
      strings: this.#strings,
      exceptions: [],
      isExact: false,
      nameAt: (offset) => this.#name(offset),
      base: this.#base,
    };
  }

  /** Adds all strings of the section. Returns their numbers in the order of the section. */
  #takeStrings(): Int32Array {
    const { blob, strStart, strEnd } = this.#types;
    const { names } = this.#store;
    let order = new Int32Array(1024);
    let count = 0;
    // A string takes at least one byte, so the section has at most as many strings as bytes.
    this.#store.marks.begin(names.count + strEnd - strStart);
    for (let start = strStart; start < strEnd; ) {
      const nul = blob.indexOf(0, start);
      const end = nul < 0 || nul > strEnd ? strEnd : nul;
      if (end === strEnd) this.#isExact = false;
      const name = names.intern(blob, start, end);
      this.#nameAt[start - strStart] = name;
      if (count === order.length) order = grown(order, 2 * count);
      order[count++] = name;
      if (this.#store.marks.mark(name)) this.#isExact = false;
      start = end + 1;
    }
    return order.slice(0, count);
  }

  #u32(offset: number): number {
    return this.#view.getUint32(offset, this.#little);
  }

  #name(offset: number): number {
    const { strBase } = this.#types;
    if (offset < strBase) return this.#base?.nameAt(offset) ?? this.#otherName(offset);
    const name = this.#nameAt[offset - strBase] ?? -1;
    return name >= 0 ? name : this.#otherName(offset);
  }

  /** Returns the number of the name at any offset; 0, the empty name, once the budget is spent. */
  #otherName(offset: number): number {
    this.#isExact = false;
    const { bytes, start, end } = namePlace(this.#types, offset);
    this.#left -= end - start;
    return this.#left < 0 ? 0 : this.#store.names.intern(bytes, start, end);
  }

  #takeSymbols(): void {
    const { recordOff, count } = this.#types;
    for (let row = 0; row < count; row++) {
      const at = recordOff[row] ?? 0;
      const kind = infoKind(this.#u32(at + 4));
      const name = isNamed(kind) ? this.#name(this.#u32(at)) : 0;
      if (name === 0) continue;
      this.#words[0] = kind;
      this.#words[1] = name;
      this.#symbol[row] = this.#store.symbols.intern(this.#words, 2);
    }
  }

  /** Returns the row of type `id`; -1 for void and for types of the base. */
  #rowOf(id: number): number {
    const row = id - this.#types.firstId;
    return row >= 0 && row < this.#types.count ? row : -1;
  }

  /** Adds the record of `first`, after the records of the unnamed types that it refers to. */
  #takeRecord(first: number): void {
    if ((this.#record[first] ?? 0) >= 0) return;
    const stack = [{ row: first, word: 2 }];
    this.#record[first] = ON_THE_WAY;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const needed = this.#nextNeeded(top);
      if (needed < 0) {
        this.#record[top.row] = this.#intern(top.row);
        stack.pop();
      } else {
        this.#record[needed] = ON_THE_WAY;
        stack.push({ row: needed, word: 2 });
      }
    }
  }

  /** Returns the row of the next unnamed type without a record; -1 if there is none. */
  #nextNeeded(place: { readonly row: number; word: number }): number {
    const { recordOff } = this.#types;
    const start = recordOff[place.row] ?? 0;
    const kind = infoKind(this.#u32(start + 4));
    const words = ((recordOff[place.row + 1] ?? start) - start) >> 2;
    while (place.word < words) {
      const word = place.word++;
      if (roleOf(kind, word) !== WordRole.type) continue;
      const row = this.#rowOf(this.#u32(start + 4 * word));
      if (row < 0 || (this.#symbol[row] ?? -1) >= 0) continue;
      const record = this.#record[row] ?? 0;
      if (record === NOT_YET) return row;
      // In a cycle of unnamed types, no order lets each record follow the records that it refers
      // to.
      if (record === ON_THE_WAY) this.#isExact = false;
    }
    return -1;
  }

  #intern(row: number): number {
    const { recordOff } = this.#types;
    const start = recordOff[row] ?? 0;
    const kind = infoKind(this.#u32(start + 4));
    const length = ((recordOff[row + 1] ?? start) - start) >> 2;
    if (length > this.#words.length) this.#words = new Int32Array(2 * length);
    for (let word = 0; word < length; word++) {
      const value = this.#u32(start + 4 * word);
      const role = roleOf(kind, word);
      this.#words[word] =
        role === WordRole.number
          ? value
          : role === WordRole.name
            ? this.#name(value)
            : this.#ref(value);
    }
    return this.#store.records.intern(this.#words, length);
  }

  #ref(id: number): number {
    if (id === 0) return 0;
    const row = this.#rowOf(id);
    if (row < 0) {
      this.#isExact = false;
      return 0;
    }
    const symbol = this.#symbol[row] ?? -1;
    if (symbol >= 0) return refToSymbol(symbol);
    const record = this.#record[row] ?? -1;
    return record < 0 ? 0 : refToRecord(record);
  }

  /** Returns the references to a type that is not the first type of its kind and name. */
  #exceptions(): Exception[] {
    const { recordOff, count } = this.#types;
    const { marks, records, symbols } = this.#store;
    const isLater = new Uint8Array(count);
    let later = 0;
    marks.begin(2 * Math.max(records.count, symbols.count) + 2);
    for (let row = 0; row < count; row++) {
      const symbol = this.#symbol[row] ?? -1;
      const key = symbol >= 0 ? refToSymbol(symbol) : refToRecord(this.#record[row] ?? 0);
      if (!marks.mark(key)) continue;
      isLater[row] = 1;
      later++;
    }
    const exceptions: Exception[] = [];
    if (later === 0) return exceptions;
    for (let row = 0; row < count; row++) {
      const start = recordOff[row] ?? 0;
      const kind = infoKind(this.#u32(start + 4));
      const words = ((recordOff[row + 1] ?? start) - start) >> 2;
      for (let word = 2; word < words; word++) {
        if (roleOf(kind, word) !== WordRole.type) continue;
        const target = this.#rowOf(this.#u32(start + 4 * word));
        if (target >= 0 && isLater[target] === 1) exceptions.push({ row, word, target });
      }
    }
    return exceptions;
  }
}

const NOT_YET = -1;
const ON_THE_WAY = -2;
