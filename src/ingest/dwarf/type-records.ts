/** Types read from DWARF, as columns. The kinds are those of BTF. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_AT } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/reader.ts';

/** Kind of a record that is only another name for the type `ref`, which takes its place. */
export const ALIAS = BtfKind.UNKN;

/** Fields of a record that depend on its kind. */
export type TypeFields = {
  readonly kind: number;
  /** Number of the name in the pool; 0 for none. BTF lacks those of pointers and prototypes. */
  readonly name?: number;
  /** True for a signed ENUM, and for the FWD of a union. */
  readonly flag?: boolean;
  /** Size in bytes, elements of an ARRAY, linkage of a FUNC, or DW_TAG of a PTR that is no pointer. */
  readonly value?: number;
  /** Referenced type; 0 for void. That of an enumeration is the type of its values. */
  readonly ref?: number;
};

/** A method, static member or alignment of a class of C++; see `ClassParts`. */
export type PartRecord = {
  readonly entry: number;
  readonly flags: number;
  readonly name: number;
  readonly type: number;
  readonly value: bigint | null;
  readonly params: readonly PartParam[];
};

export type PartParam = { readonly name: number; readonly type: number; readonly flags: number };

/**
 * Records with ids from 1. The items of a record are members, enumerators or parameters; an INT
 * has one item with its encoding and its number of bits, a pointer to a member one with its class.
 */
export class TypeRecords {
  readonly kind: number[] = [0];
  readonly name: number[] = [0];
  readonly flag: number[] = [0];
  readonly value: number[] = [0];
  readonly ref: number[] = [0];
  /** Offset of the entry in DWARF from which the type was read. */
  readonly die: number[] = [0];
  readonly firstItem: number[] = [0];
  readonly itemCount: number[] = [0];
  readonly itemName: number[] = [];
  readonly itemRef: number[] = [];
  /** Bit offset of a member, low 32 bits of an enumerator, encoding of an INT. */
  readonly itemLow: number[] = [];
  /** Size of a bit-field in bits, high 32 bits of an enumerator, bits of an INT. */
  readonly itemHigh: number[] = [];
  /** Entry of an item as `packItem` packs it; 0 for none. */
  readonly itemEntry: number[] = [];
  /** Value of the discriminant with which a variant is in use, by item. */
  readonly discriminants = new Map<number, bigint>();
  /** Parts of classes of C++ by record. They are read only of distinct types. */
  readonly parts = new Map<number, readonly PartRecord[]>();

  /** Highest id. */
  get last(): number {
    return this.kind.length - 1;
  }

  /** Adds a void record for the entry at `die`, to be set later. Returns its id. */
  reserve(die: number): number {
    this.kind.push(ALIAS);
    this.name.push(0);
    this.flag.push(0);
    this.value.push(0);
    this.ref.push(0);
    this.die.push(die);
    this.firstItem.push(0);
    return this.itemCount.push(0) - 1;
  }

  /** Sets the fields of a record. Items that are added next belong to it. */
  set(id: number, { kind, name = 0, flag = false, value = 0, ref = 0 }: TypeFields): void {
    this.kind[id] = kind;
    this.name[id] = name;
    this.flag[id] = flag ? 1 : 0;
    this.value[id] = value;
    this.ref[id] = ref;
    this.firstItem[id] = this.itemName.length;
    this.itemCount[id] = 0;
  }

  /** Adds a record. Items that are added next belong to it. Returns its id. */
  add(die: number, fields: TypeFields): number {
    const id = this.reserve(die);
    this.set(id, fields);
    return id;
  }

  /** Adds an item to the record that was set last. */
  addItem(id: number, name: number, ref: number, low: number, high: number, entry = 0): void {
    this.itemName.push(name);
    this.itemRef.push(ref);
    this.itemLow.push(low);
    this.itemHigh.push(high);
    this.itemEntry.push(entry);
    this.itemCount[id] = (this.itemCount[id] ?? 0) + 1;
  }
}

/** A variable with a fixed address. */
export type DwarfVariable = {
  readonly name: number;
  /** Id of its type in the records of the batch; 0 for void. */
  readonly type: number;
  readonly isGlobal: boolean;
  readonly address: bigint;
  readonly die: number;
};

/** Names by number, each once. Number 0 is the empty name. */
export class NamePool {
  /** Characters that names with scopes may still add: each of many types may be in long scopes. */
  #scopedLeft: number;
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #names: string[] = [''];
  /** Numbers of the names of a section by their offset; 0 for one that was not read. */
  readonly #places = new WeakMap<ByteReader, Uint32Array>();

  /** `fileBytes` is the size of the sections, to which the length of all names is in proportion. */
  constructor(fileBytes: number) {
    this.#scopedLeft = 16 * fileBytes + (1 << 24);
  }

  /** Raises the limit of the length of all names by the sections of another file. */
  addFile(fileBytes: number): void {
    this.#scopedLeft += 16 * fileBytes;
  }

  /** Returns the number of the name `own` after its scopes; `own` if the names are too long. */
  scoped(scopes: string, own: number): number {
    return this.bounded(scopes + this.nameOf(own), own);
  }

  /** Returns the number of a name that no string of the file has; `own` if the names are too long. */
  bounded(name: string, own: number): number {
    const isNew = !this.#numbers.has(name);
    if (isNew) this.#scopedLeft -= name.length;
    return isNew && this.#scopedLeft < 0 ? own : this.numberOf(name);
  }

  /** Returns the number of a name. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#names.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  /**
   * Returns the number of the name of an entry; 0 if it has none. A string of a section is decoded
   * once, however many entries refer to it. Throws `Malformed`.
   */
  numberIn(die: Die): number {
    const place = die.stringPlace(DW_AT.name);
    if (place === null) return 0;
    const { section, offset } = place;
    if (section === die.unit.section)
      return this.numberOf(die.unit.reader.strings.at(section, offset));
    const numbers = getOrCreate(this.#places, section, () => new Uint32Array(section.length));
    const known = numbers[offset] ?? 0;
    if (known !== 0) return known;
    const number = this.numberOf(die.unit.reader.strings.at(section, offset));
    numbers[offset] = number;
    return number;
  }

  /** Returns the name with a number. */
  nameOf(number: number): string {
    return this.#names[number] ?? '';
  }
}
