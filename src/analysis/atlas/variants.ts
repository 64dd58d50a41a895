/**
 * Definitions of names. Kernels with the same definition share a *variant*. The variant of a struct
 * lists its members and the members of its anonymous members.
 */
import { intBitfield } from '#analysis/types/member-bits.ts';
import { approximateSizes, sizeOf } from '#analysis/types/sizes.ts';
import { type Entry, EntryKind, numberRole, type WrittenRow } from '#formats/atlas/entry.ts';
import { BTF_ENUM, BTF_ENUM64, BtfKind } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { ItemReader, isComposite } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { NamedDefinition } from './from-tables.ts';
import { grown, Marks, SequencePool } from './pools.ts';
import type { KernelRecords, RecordStore } from './records.ts';
import { TypeTexts } from './texts.ts';

/** Entry kind by BTF kind; -1 for BTF kinds that have no entries. */
const ENTRY_KINDS: Int8Array = (() => {
  const kinds = new Int8Array(128).fill(-1);
  kinds[BtfKind.STRUCT] = EntryKind.struct;
  kinds[BtfKind.UNION] = EntryKind.union;
  kinds[BtfKind.ENUM] = EntryKind.enum;
  kinds[BtfKind.ENUM64] = EntryKind.enum;
  kinds[BtfKind.FUNC] = EntryKind.func;
  kinds[BtfKind.TYPEDEF] = EntryKind.typedef;
  return kinds;
})();

const NO_DEFINITION = { kind: 0, name: '' };

/** Maximum depth of anonymous structs in anonymous structs; compilers write far fewer levels. */
const MAX_DEPTH = 64;

export class VariantStore {
  readonly #store: RecordStore;
  readonly #texts: TypeTexts;
  /** Variants: entry kind, then the numbers that `formats/atlas/read-entry-block.ts` reads. */
  readonly variants = new SequencePool();
  /** Rows: an entry and its variants in one kernel, sorted by type id. */
  readonly rows = new SequencePool();
  /** Kind and name of each entry. */
  readonly entries = new SequencePool();
  /** Number of the variant + 1, by record of a FUNC_PROTO. */
  #ofProto = new Int32Array(0);
  readonly #marks = new Marks();
  /** By entry: row of the most recently added definition in the current kernel. */
  #last = new Int32Array(0);
  #words = new Int32Array(64);
  #length = 0;

  constructor(store: RecordStore) {
    this.#store = store;
    this.#texts = new TypeTexts(store);
  }

  /** Adds the entries of a kernel. Returns one row number per entry. */
  add(kernel: KernelRecords): Int32Array {
    const { types } = kernel;
    const taker = new Taking(this, kernel, this.#texts.in(kernel));
    this.#ofProto = grown(this.#ofProto, Math.max(this.#ofProto.length, this.#store.records.count));
    const reader = new RecordReader(types);
    /** Rows of the first type of each entry. `next[row]` is the next row of the same entry + 1. */
    const firsts: number[] = [];
    const next = new Int32Array(types.count);
    const variants = new Int32Array(types.count);
    const entries = new Int32Array(types.count);
    this.#marks.begin(this.entries.count + types.count);
    this.#last = grown(this.#last, Math.max(this.#last.length, this.entries.count + types.count));
    for (let row = 0; row < types.count; row++) {
      const id = typeId(types.firstId + row);
      const kind = ENTRY_KINDS[reader.kind(row)] ?? -1;
      const off = kind < 0 ? 0 : reader.nameOff(row);
      if (off === 0) continue;
      const variant = this.#variantOf(taker, kernel, id, kind);
      if (variant < 0) continue;
      const name = kernel.nameAt(off);
      if (name === 0) continue;
      variants[row] = variant;
      this.#words[0] = kind;
      this.#words[1] = name;
      const entry = this.entries.intern(this.#words, 2);
      if (this.#marks.mark(entry)) next[this.#last[entry] ?? 0] = row + 1;
      else firsts.push(row);
      this.#last[entry] = row;
      entries[row] = entry;
    }
    return this.#rowsOf(firsts, entries, next, variants);
  }

  #rowsOf(
    firsts: readonly number[],
    entries: Int32Array,
    next: Int32Array,
    variants: Int32Array,
  ): Int32Array {
    return Int32Array.from(firsts, (first) => {
      this.begin(entries[first] ?? 0);
      for (let row = first + 1; row > 0; row = next[row - 1] ?? 0) {
        this.push(variants[row - 1] ?? 0);
      }
      return this.rows.intern(this.#words, this.#length);
    });
  }

  #variantOf(taker: Taking, kernel: KernelRecords, id: TypeId, kind: number): number {
    if (kind !== EntryKind.func) {
      this.begin(kind);
      taker.write(id, kind);
      return this.end();
    }
    const { types, record } = kernel;
    const proto = typeId(sizeOrTypeOf(types, id));
    if (kindOf(types, proto) !== BtfKind.FUNC_PROTO) return -1;
    const key = record[proto - types.firstId] ?? -1;
    const known = key < 0 ? 0 : (this.#ofProto[key] ?? 0);
    if (known > 0) return known - 1;
    this.begin(kind);
    taker.writeProto(proto);
    const variant = this.end();
    if (key >= 0) this.#ofProto[key] = variant + 1;
    return variant;
  }

  /** Adds an entry from a file. `nameOf` maps its strings to names. Returns its row numbers. */
  take(entry: Entry<Pick<WrittenRow, 'variants'>>, nameOf: (string: number) => number): number[] {
    const variants = entry.variants.map((numbers) => {
      this.begin(entry.kind);
      for (const [i, number] of numbers.entries()) {
        const role = numberRole(entry.kind, i);
        if (role === 'text') this.push(nameOf(number));
        else if (role === 'size') this.pushNumber(number);
        else this.push(number);
      }
      return this.end();
    });
    this.#words[0] = entry.kind;
    this.#words[1] = nameOf(entry.name);
    const number = this.entries.intern(this.#words, 2);
    return entry.rows.map((row) => {
      this.begin(number);
      for (const variant of row.variants) this.push(variants[variant] ?? 0);
      return this.rows.intern(this.#words, this.#length);
    });
  }

  /** Adds a kernel's definitions, grouped by kind and name. Returns one row per name. */
  addDefinitions(definitions: readonly NamedDefinition[]): Int32Array {
    const { names } = this.#store;
    const rows: number[] = [];
    for (let i = 0; i < definitions.length; ) {
      const { kind, name } = definitions[i] ?? NO_DEFINITION;
      const variants: number[][] = [];
      for (let next = definitions[i]; next?.kind === kind && next.name === name; ) {
        variants.push(
          next.variant.map((part) => (typeof part === 'string' ? names.internText(part) : part)),
        );
        next = definitions[++i];
      }
      const row = { variants: [...variants.keys()] };
      const entry = { kind, name: names.internText(name), variants, rows: [row] };
      for (const number of this.take(entry, (string) => string)) rows.push(number);
    }
    return Int32Array.from(rows);
  }

  /** Returns the numbers of a variant as a file stores them; texts are numbers of names. */
  numbersOf(variant: number): number[] {
    const words = this.variants.sequence(variant);
    const kind = words[0] ?? 0;
    return Array.from(words.subarray(1), (word, i) =>
      word < 0 && numberRole(kind, i) === 'size' ? this.#large(word) : word,
    );
  }

  /** Returns the value of a number that `pushNumber` stored as a text. */
  #large(word: number): number {
    return Number(String.fromCharCode(...this.#store.names.bytes(-1 - word)));
  }

  begin(word: number): void {
    this.#length = 0;
    this.push(word);
  }

  push(word: number): void {
    if (this.#length === this.#words.length) this.#words = grown(this.#words, 2 * this.#length);
    this.#words[this.#length++] = word;
  }

  /** Appends a non-negative number; a number too large for 31 bits is stored as a text. */
  pushNumber(value: number): void {
    const isSmall = value < 0x80000000;
    this.push(isSmall ? value : -1 - this.#store.names.internText(`${value}`));
  }

  end(): number {
    return this.variants.intern(this.#words, this.#length);
  }
}

/** State while the variants of one kernel are added. */
class Taking {
  readonly #to: VariantStore;
  readonly #types: TypeTable;
  readonly #kernel: KernelRecords;
  readonly #textOf: (id: TypeId) => number;
  readonly #sizes: Float64Array;
  /** Members of anonymous structs that may still be added, since many structs may share one. */
  #left: number;

  constructor(to: VariantStore, kernel: KernelRecords, textOf: (id: TypeId) => number) {
    this.#to = to;
    this.#types = kernel.types;
    this.#kernel = kernel;
    this.#textOf = textOf;
    this.#sizes = approximateSizes(kernel.types);
    this.#left = kernel.types.blob.length + (kernel.base?.types.blob.length ?? 0);
  }

  write(id: TypeId, kind: number): void {
    switch (kind) {
      case EntryKind.enum:
        this.#writeEnum(id);
        break;
      case EntryKind.typedef: {
        const target = typeId(sizeOrTypeOf(this.#types, id));
        this.#to.push(this.#textOf(target));
        this.#to.pushNumber(this.#sizeOf(target));
        break;
      }
      default:
        this.#writeComposite(id);
    }
  }

  writeProto(proto: TypeId): void {
    this.#to.push(this.#textOf(typeId(sizeOrTypeOf(this.#types, proto))));
    const params = new ItemReader(this.#types, proto);
    for (let i = 0; i < params.count; i++) {
      const type = params.type(i);
      const isRest = type === 0 && i === params.count - 1;
      this.#to.push(isRest ? 0 : this.#kernel.nameAt(params.nameOff(i)));
      // A final parameter of type void is `...`. BTF describes `(void)` without parameters.
      if (isRest) this.#to.push(0);
      else this.#to.push(this.#textOf(type));
    }
  }

  #writeEnum(id: TypeId): void {
    const items = new ItemReader(this.#types, id);
    const isWide = items.kind === BtfKind.ENUM64;
    this.#to.pushNumber(sizeOrTypeOf(this.#types, id));
    this.#to.push(items.kindFlag ? 1 : 0);
    for (let i = 0; i < items.count; i++) {
      const low = items.u32(i, BTF_ENUM.at.val) | 0;
      this.#to.push(this.#kernel.nameAt(items.nameOff(i)));
      this.#to.push(low);
      this.#to.push(
        isWide ? items.u32(i, BTF_ENUM64.at.val_hi32) | 0 : items.kindFlag ? low >> 31 : 0,
      );
    }
  }

  #writeComposite(id: TypeId): void {
    const types = this.#types;
    this.#to.pushNumber(sizeOrTypeOf(types, id));
    const stack = [{ items: new ItemReader(types, id), index: 0, offset: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { items, index } = top;
      if (index >= items.count) {
        stack.pop();
        continue;
      }
      top.index++;
      const type = items.type(index);
      const nameOff = items.nameOff(index);
      if (nameOff === 0) {
        const inner = skipModifiers(types, type);
        if (!isComposite(kindOf(types, inner)) || stack.length > MAX_DEPTH) continue;
        const inside = new ItemReader(types, inner);
        this.#left -= inside.count + 1;
        if (this.#left > 0) {
          const offset = top.offset + items.bitOffset(index);
          stack.push({ items: inside, index: 0, offset });
        }
        continue;
      }
      this.#to.push(this.#kernel.nameAt(nameOff));
      this.#to.push(this.#textOf(type));
      const inInt = items.kindFlag ? null : intBitfield(types, type, items.bitOffset(index));
      const bits = inInt?.bitSize ?? items.bitfieldSize(index);
      this.#to.pushNumber(bits || 8 * this.#sizeOf(type));
      this.#to.pushNumber(top.offset + (inInt?.bitOffset ?? items.bitOffset(index)));
    }
  }

  /** Returns the size of a type in bytes; 0 for a type without a size. */
  #sizeOf(id: TypeId): number {
    const row = id - this.#types.firstId;
    const size = row >= 0 ? this.#sizes[row] : Number(sizeOf(this.#types, id) ?? 0);
    // The limit keeps differences of bit offsets exact and small enough for a file.
    return Math.min(size === undefined || Number.isNaN(size) ? 0 : size, 2 ** 45 - 1);
  }
}
