/**
 * BTF records of all units before they are deduplicated. Names are ids of a `NameTable` until the
 * end, and types may refer to types that follow.
 *
 * Source: libbpf, btf.c, `btf__add_int` and the other functions that add a type, with their checks.
 */
import { type AddedTypes, addTypes, namesByText } from '#analysis/dedup/add-types.ts';
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { BtfKind, CLASSIC_MAX_VLEN, infoKind, infoVlen, kindName } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { StringPool } from '#formats/btf/write-records.ts';
import { tablesOf } from '#model/joined-words.ts';
import { strLenOf, type TypeTable } from '#model/type-table.ts';
import type { NameTable } from './name-table.ts';

/** Sizes of a FLOAT in bytes. */
const FLOAT_SIZES: ReadonlySet<number> = new Set([2, 4, 8, 12, 16]);
const MAX_FIELD_OFFSET = 0xffffff;
// As `namesByText` decodes the names of the base.
const latin1 = new TextDecoder('latin1');
const MIN_I32 = -(2 ** 31);

/** Returns the error for a type that libbpf refuses, so that pahole writes no BTF at all. */
export function refusal(offset: number, message: string): Malformed {
  return new Malformed({
    code: 'encode.refused',
    region: '.debug_info',
    message: `pahole 1.31 writes no BTF for this file: ${message}`,
    span: null,
    expected: 'an entry that BTF can describe',
    found: `the entry at ${hexText(offset)}`,
  });
}

export class TypeBuffer {
  readonly names: NameTable;
  /** Base of the types; a table without types if they are split on none. */
  readonly #base: TypeTable;
  readonly #isLittle: boolean;
  readonly firstOwn: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length: number;
  #starts: Uint32Array;
  #count: number;
  /** Offset in bytes of the record to which items are added, and its entry for messages. */
  #open = 0;
  #openEntry = 0;
  /** Names in the order in which libbpf adds them, the empty one first. */
  readonly #used = [0];
  #isUsed = Uint8Array.of(1);
  /** Offsets in bytes of all words that are names. */
  #nameAt = new Uint32Array(1 << 12);
  #nameCount = 0;

  /** Entry of each type by id; null if they are not kept. */
  readonly entries: number[] | null;

  constructor(names: NameTable, base: TypeTable, keepsEntries: boolean) {
    this.names = names;
    this.#base = base;
    this.#isLittle = base.endian === 'little';
    const added = addTypes({ name: 'the base', types: base }, []);
    this.firstOwn = added.firstOwn;
    this.entries = keepsEntries ? new Array<number>(added.endId).fill(0) : null;
    this.#count = added.endId;
    this.#length = added.bytes.length;
    this.#bytes = new Uint8Array(Math.max(1 << 16, this.#length * 2));
    this.#bytes.set(added.bytes);
    this.#view = new DataView(this.#bytes.buffer);
    this.#starts = new Uint32Array(Math.max(1 << 12, this.#count * 2));
    this.#starts.set(added.recordOff.subarray(0, this.#count));
  }

  /** Id of the next type. */
  get nextId(): number {
    return this.#count;
  }

  kind(id: number): number {
    return infoKind(this.#word(id, 1));
  }

  /** Returns the word `index` of a record: 0 is its name, 1 kind, flag and count, 2 size or type. */
  #word(id: number, index: number): number {
    return this.#view.getUint32((this.#starts[id] ?? 0) + 4 * index, this.#isLittle);
  }

  nameOf(id: number): number {
    return this.#word(id, 0);
  }

  kindFlag(id: number): boolean {
    return this.#word(id, 1) >= 0x80000000;
  }

  itemCount(id: number): number {
    return infoVlen(this.#word(id, 1));
  }

  sizeOrType(id: number): number {
    return this.#word(id, 2);
  }

  /** Returns the word `index` after the head of a record. */
  extra(id: number, index: number): number {
    return this.#word(id, 3 + index);
  }

  int(entry: number, name: number, size: number, encoding: number): number {
    this.#requireName(entry, name, 'an integer');
    const id = this.#head(entry, BtfKind.INT, { name, third: size });
    this.#put(encoding * 0x1000000 + size * 8);
    return id;
  }

  float(entry: number, name: number, size: number): number {
    this.#requireName(entry, name, 'a floating-point type');
    if (!FLOAT_SIZES.has(size)) {
      throw refusal(entry, `a floating-point type of ${size} bytes`);
    }
    return this.#head(entry, BtfKind.FLOAT, { name, third: size });
  }

  /** Adds a pointer, modifier, typedef, type tag or function. `flag`: kind_flag. */
  reference(
    entry: number,
    kind: number,
    type: number,
    { name = 0, flag = false }: { readonly name?: number; readonly flag?: boolean } = {},
  ): number {
    const isNamed = kind === BtfKind.TYPEDEF || kind === BtfKind.TYPE_TAG || kind === BtfKind.FUNC;
    if (isNamed) this.#requireName(entry, name, `a ${kindName(kind)}`);
    return this.#head(entry, kind, { name, third: type, flag });
  }

  fwd(entry: number, name: number, isUnion: boolean): number {
    this.#requireName(entry, name, 'a declaration');
    return this.#head(entry, BtfKind.FWD, { name, third: 0, flag: isUnion });
  }

  array(entry: number, element: number, index: number, count: number): number {
    const id = this.#head(entry, BtfKind.ARRAY, { third: 0 });
    this.#put(element);
    this.#put(index);
    this.#put(count);
    return id;
  }

  /** Adds a struct or union, to which `field` adds its members. */
  composite(entry: number, kind: number, name: number, size: number): number {
    return this.#head(entry, kind, { name, third: size });
  }

  field(name: number, type: number, bitOffset: number, bitfieldSize: number): void {
    const isField = bitfieldSize !== 0 || bitOffset % 8 !== 0;
    const isUnion =
      infoKind(this.#view.getUint32(this.#open + 4, this.#isLittle)) === BtfKind.UNION;
    if (isField && (bitfieldSize === 0 || bitOffset > MAX_FIELD_OFFSET)) {
      throw this.#memberRefusal(name, bitOffset, ', a bit-field, is beyond what BTF can say');
    }
    if (isUnion && bitOffset !== 0) {
      throw this.#memberRefusal(name, bitOffset, ' of a union, whose members are at 0');
    }
    this.#item(isField);
    this.#putName(name);
    this.#put(type);
    this.#put((bitOffset | (bitfieldSize << 24)) >>> 0);
  }

  /** Adds an ENUM or ENUM64, to which `enumerator` adds its values. */
  enumeration(entry: number, kind: number, head: EnumHead): number {
    const { name, size, isSigned } = head;
    if (size === 0 || size > 8 || (size & (size - 1)) !== 0) {
      throw refusal(entry, `an enumeration of ${size} bytes`);
    }
    return this.#head(entry, kind, { name, third: size, flag: isSigned });
  }

  enumerator(name: number, value: number | bigint): void {
    this.#requireName(this.#openEntry, name, 'an enumerator');
    const isWide =
      infoKind(this.#view.getUint32(this.#open + 4, this.#isLittle)) === BtfKind.ENUM64;
    const exact = typeof value === 'number' ? value : Number(value);
    if (!isWide && (exact < MIN_I32 || exact > MAX_U32)) {
      throw refusal(
        this.#openEntry,
        `value ${value} of ${this.names.shown(name)} has over 32 bits`,
      );
    }
    this.#item(!isWide && exact < 0);
    this.#putName(name);
    if (!isWide) {
      this.#put(exact >>> 0);
      return;
    }
    const bits = BigInt(value);
    this.#put(Number(BigInt.asUintN(32, bits)));
    this.#put(Number(BigInt.asUintN(32, bits >> 32n)));
  }

  /** Adds a prototype, to which `parameter` adds its parameters. */
  prototype(entry: number, result: number): number {
    return this.#head(entry, BtfKind.FUNC_PROTO, { third: result });
  }

  parameter(name: number, type: number): void {
    this.#item(false);
    this.#putName(name);
    this.#put(type);
  }

  variable(entry: number, name: number, type: number, linkage: number): number {
    this.#requireName(entry, name, 'a variable');
    const id = this.#head(entry, BtfKind.VAR, { name, third: type });
    this.#put(linkage);
    return id;
  }

  /** Adds a section, to which `placedVariable` adds its variables. */
  section(name: number, size: number): number {
    return this.#head(0, BtfKind.DATASEC, { name, third: size });
  }

  placedVariable(type: number, offset: number, size: number): void {
    this.#item(false);
    this.#put(type);
    this.#put(offset);
    this.#put(size);
  }

  declTag(entry: number, value: number, type: number, component: number): number {
    this.#requireName(entry, value, 'a tag');
    const id = this.#head(entry, BtfKind.DECL_TAG, { name: value, third: type });
    this.#put(component >>> 0);
    return id;
  }

  /** Adds a name to the strings of the BTF, if it is new there. They are in the order of the calls. */
  noteName(name: number): void {
    if (name >= this.#isUsed.length) {
      const flags = new Uint8Array(Math.max(this.#isUsed.length * 2, name + 1));
      flags.set(this.#isUsed);
      this.#isUsed = flags;
    }
    if (this.#isUsed[name] === 1) return;
    this.#isUsed[name] = 1;
    this.#used.push(name);
  }

  /** Returns all records with the names of BTF. Nothing can be added afterwards. */
  finish(): AddedTypes {
    const bytes = this.#bytes.slice(0, this.#length);
    const recordOff = new Uint32Array(this.#count + 1);
    recordOff.set(this.#starts.subarray(0, this.#count));
    recordOff[this.#count] = this.#length;
    const endian: Endian = this.#isLittle ? 'little' : 'big';
    const records = new RecordReader({ blob: bytes, endian, recordOff, count: this.#count });
    const strings = new StringPool(strLenOf(this.#base));
    const baseNames = namesByText(tablesOf(this.#base));
    const view = new DataView(bytes.buffer);
    const offsets = new Uint32Array(this.names.count);
    for (const name of this.#used) {
      const bytes = this.names.bytesOf(name);
      offsets[name] = baseNames.get(latin1.decode(bytes)) ?? strings.offsetOf('name_off', bytes);
    }
    for (let i = 0; i < this.#nameCount; i++) {
      const at = this.#nameAt[i] ?? 0;
      const name = view.getUint32(at, this.#isLittle);
      view.setUint32(at, offsets[name] ?? 0, this.#isLittle);
    }
    const { firstOwn } = this;
    return { base: this.#base, bytes, recordOff, records, firstOwn, endId: this.#count, strings };
  }

  #memberRefusal(name: number, bitOffset: number, why: string): Malformed {
    const shown = this.names.shown(name) || '(anon)';
    return refusal(this.#openEntry, `member ${shown} at bit ${bitOffset}${why}`);
  }

  #requireName(entry: number, name: number, what: string): void {
    if (name === 0) throw refusal(entry, `${what} without a name`);
  }

  #head(entry: number, kind: number, { name = 0, third, flag = false }: Head): number {
    const id = this.#count;
    if (id === this.#starts.length) {
      const starts = new Uint32Array(id * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.#starts[id] = this.#length;
    this.#open = this.#length;
    this.#openEntry = entry;
    this.entries?.push(entry);
    this.#count += 1;
    this.#putName(name);
    this.#put(((flag ? 0x80000000 : 0) | (kind << 24)) >>> 0);
    this.#put(third);
    return id;
  }

  /** Counts one more item of the open record, and sets its kind_flag if `flag` is set. */
  #item(flag: boolean): void {
    const info = this.#view.getUint32(this.#open + 4, this.#isLittle);
    if (infoVlen(info) === CLASSIC_MAX_VLEN) {
      const kind = kindName(infoKind(info));
      throw refusal(this.#openEntry, `a ${kind} of more than ${CLASSIC_MAX_VLEN} items`);
    }
    const counted = (info + 1) | (flag ? 0x80000000 : 0);
    this.#view.setUint32(this.#open + 4, counted >>> 0, this.#isLittle);
  }

  #putName(name: number): void {
    if (name !== 0) {
      if (this.#isUsed[name] !== 1) this.noteName(name);
      if (this.#nameCount === this.#nameAt.length) {
        const places = new Uint32Array(this.#nameCount * 2);
        places.set(this.#nameAt);
        this.#nameAt = places;
      }
      this.#nameAt[this.#nameCount++] = this.#length;
    }
    this.#put(name);
  }

  #put(word: number): void {
    if (this.#length + 4 > this.#bytes.length) {
      const bytes = new Uint8Array(this.#bytes.length * 2);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    this.#view.setUint32(this.#length, word, this.#isLittle);
    this.#length += 4;
  }
}

type Head = { readonly name?: number; readonly third: number; readonly flag?: boolean };
type EnumHead = { readonly name: number; readonly size: number; readonly isSigned: boolean };
