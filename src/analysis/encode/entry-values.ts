/** Values of the current entry of a unit, in the sizes that pahole keeps. */
import { type ByteReader, MAX_U32 } from '#bytes/byte-reader.ts';
import { DW_AT, DW_FORM, DW_OP } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/die.ts';
import { EntryScanner } from '#formats/dwarf/entry-scanner.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import type { DwarfUnit } from '#formats/dwarf/reader.ts';
import type { NameTable } from './name-table.ts';
import type { LocationPlace } from './unit-tags.ts';

/** DW_AT_GNU_annotation, which gcc 16 writes. */
export const GNU_ANNOTATION = 0x2139;
/** Value of a reference that leads to no entry, unlike 0, which is no reference. */
const LOST = -1;

const ATTRIBUTES = [
  DW_AT.name,
  DW_AT.type,
  DW_AT.byte_size,
  DW_AT.encoding,
  DW_AT.declaration,
  DW_AT.specification,
  DW_AT.abstract_origin,
  DW_AT.data_bit_offset,
  DW_AT.data_member_location,
  DW_AT.bit_offset,
  DW_AT.bit_size,
  DW_AT.virtuality,
  DW_AT.low_pc,
  DW_AT.external,
  DW_AT.inline,
  DW_AT.calling_convention,
  DW_AT.const_value,
  DW_AT.location,
  DW_AT.artificial,
  DW_AT.upper_bound,
  DW_AT.count,
  DW_AT.alignment,
  DW_AT.GNU_vector,
  GNU_ANNOTATION,
] as const;

const SLOTS: ReadonlyMap<number, number> = new Map(ATTRIBUTES.map((each, slot) => [each, slot]));

const slotOf = (attribute: (typeof ATTRIBUTES)[number]) => SLOTS.get(attribute) ?? 0;

/** Slots of attributes, by their names in DWARF. */
export const SLOT = {
  name: slotOf(DW_AT.name),
  type: slotOf(DW_AT.type),
  byteSize: slotOf(DW_AT.byte_size),
  encoding: slotOf(DW_AT.encoding),
  declaration: slotOf(DW_AT.declaration),
  specification: slotOf(DW_AT.specification),
  abstractOrigin: slotOf(DW_AT.abstract_origin),
  dataBitOffset: slotOf(DW_AT.data_bit_offset),
  dataMemberLocation: slotOf(DW_AT.data_member_location),
  bitOffset: slotOf(DW_AT.bit_offset),
  bitSize: slotOf(DW_AT.bit_size),
  virtuality: slotOf(DW_AT.virtuality),
  lowPc: slotOf(DW_AT.low_pc),
  external: slotOf(DW_AT.external),
  inline: slotOf(DW_AT.inline),
  callingConvention: slotOf(DW_AT.calling_convention),
  constValue: slotOf(DW_AT.const_value),
  location: slotOf(DW_AT.location),
  artificial: slotOf(DW_AT.artificial),
  upperBound: slotOf(DW_AT.upper_bound),
  count: slotOf(DW_AT.count),
  alignment: slotOf(DW_AT.alignment),
  vector: slotOf(DW_AT.GNU_vector),
  gnuAnnotation: slotOf(GNU_ANNOTATION),
} as const;

/** Highest form below which a table of classes is used. */
const FORMS = 0x40;
const Class = { none: 0, constant: 1, reference: 2, string: 3, block: 4 } as const;
const CLASSES = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(FORMS);
  const { data1, data2, data4, data8, udata, sdata, implicit_const } = DW_FORM;
  const constants = [data1, data2, data4, data8, udata, sdata, implicit_const];
  for (const form of [...constants, DW_FORM.flag, DW_FORM.flag_present, DW_FORM.addr]) {
    table[form] = Class.constant;
  }
  for (const form of [DW_FORM.ref1, DW_FORM.ref2, DW_FORM.ref4, DW_FORM.ref8, DW_FORM.ref_udata]) {
    table[form] = Class.reference;
  }
  for (const form of [DW_FORM.strx, DW_FORM.strx1, DW_FORM.strx2, DW_FORM.strx3, DW_FORM.strx4]) {
    table[form] = Class.string;
  }
  const { block, block1, block2, block4, exprloc } = DW_FORM;
  for (const form of [block, block1, block2, block4, exprloc]) table[form] = Class.block;
  return table;
}

export class EntryValues {
  readonly scanner: EntryScanner;
  readonly #unit: DwarfUnit;
  readonly #names: NameTable;
  readonly #form: Uint32Array;
  readonly #value: Float64Array;
  readonly #at: Uint32Array;
  readonly #strings: ByteReader | null;

  constructor(unit: DwarfUnit, names: NameTable) {
    this.scanner = new EntryScanner(unit, SLOTS);
    this.#unit = unit;
    this.#names = names;
    this.#form = this.scanner.form;
    this.#value = this.scanner.value;
    this.#at = this.scanner.at;
    this.#strings = unit.reader.sections.str ?? null;
  }

  has(slot: number): boolean {
    return this.#form[slot] !== 0;
  }

  /** Returns the low 32 bits of a constant or flag; 0 for none and for a value of another class. */
  u32(slot: number): number {
    const form = this.#form[slot] ?? 0;
    if (form === 0 || CLASSES[form] !== Class.constant) return 0;
    const value = this.#value[slot] ?? 0;
    if (Number.isSafeInteger(value)) return value >>> 0;
    return Number(BigInt.asUintN(32, this.#exact(slot)));
  }

  /** Returns a constant of 64 bits, as signed; a bigint beyond 53 bits, 0 if there is none. */
  i64(slot: number): number | bigint {
    const form = this.#form[slot] ?? 0;
    if (form === 0 || CLASSES[form] !== Class.constant) return 0;
    const value = this.#value[slot] ?? 0;
    return Number.isSafeInteger(value) ? value : BigInt.asIntN(64, this.#exact(slot));
  }

  /** Returns a constant of more than 53 bits. */
  #exact(slot: number): bigint {
    const cursor = new DwarfCursor(this.#unit.section, this.#at[slot] ?? 0);
    switch (this.#form[slot]) {
      case DW_FORM.data8:
      case DW_FORM.addr:
        return cursor.u64();
      case DW_FORM.udata:
        return cursor.bigUleb();
      case DW_FORM.sdata:
        return cursor.sleb();
      default:
        return BigInt(this.#value[slot] ?? 0);
    }
  }

  /** Returns an address; null if the entry has none. Throws `Malformed`. */
  address(slot: number): bigint | null {
    const form = this.#form[slot] ?? 0;
    if (form === 0) return null;
    if (form !== DW_FORM.addr) return this.#unit.address(this.#value[slot] ?? 0);
    const value = this.#value[slot] ?? 0;
    return Number.isSafeInteger(value) ? BigInt(value) : this.#exact(slot);
  }

  /** Returns the entry of a reference; 0 if there is none, `LOST` for one in a type unit. */
  reference(slot: number): number {
    const form = this.#form[slot] ?? 0;
    if (form === 0) return 0;
    const value = this.#value[slot] ?? 0;
    const isOwn = CLASSES[form] === Class.reference;
    if (!isOwn && form !== DW_FORM.ref_addr) return form === DW_FORM.ref_sig8 ? LOST : 0;
    const offset = isOwn ? this.#unit.offset + value : value;
    return offset > MAX_U32 ? LOST : offset >>> 0;
  }

  /** Returns the id of a string; 0 for none. Throws `Malformed`. */
  name(slot: number): number {
    const form = this.#form[slot] ?? 0;
    if (form === 0) return 0;
    const value = this.#value[slot] ?? 0;
    const str = this.#strings;
    if (form === DW_FORM.strp) {
      // An offset beyond 32 bits is none of the section, as is the largest one.
      return str === null ? 0 : this.#names.idAt(str, Math.min(value, MAX_U32) >>> 0);
    }
    if (form === DW_FORM.string) {
      return this.#names.idBetween(this.#unit.section, this.#at[slot] ?? 0);
    }
    if (form === DW_FORM.line_strp) {
      const { line_str } = this.#unit.reader.sections;
      return line_str === undefined ? 0 : this.#names.idAt(line_str, value);
    }
    const isIndex = CLASSES[form] === Class.string || form === DW_FORM.GNU_str_index;
    if (!isIndex || str === null) return 0;
    return this.#names.idAt(str, this.#unit.stringOffset(value));
  }

  /** Returns where the bytes of a location are; null if the entry has none. */
  location(slot: number): LocationPlace | null {
    const form = this.#form[slot] ?? 0;
    if (form === 0) return null;
    const value = this.#value[slot] ?? 0;
    const isBlock = CLASSES[form] === Class.block;
    return { unit: this.#unit, form, isBlock, at: isBlock ? (this.#at[slot] ?? 0) : value, value };
  }

  /** Returns an offset in a struct, in 32 bits: a constant, or an expression of one operation. */
  memberOffset(slot: number): number {
    const place = this.location(slot);
    if (place === null || !place.isBlock) return this.u32(slot);
    const block = this.#unit.section.slice(place.at, place.value);
    const [first] = operationsOf(block, this.#unit.header);
    if (first?.code !== DW_OP.plus_uconst && first?.code !== DW_OP.constu) return 0xffffffff;
    return Number(BigInt.asUintN(32, first.operands[0] ?? 0n));
  }

  /** Returns the number of elements of a dimension in 32 bits; 0 if it is not constant. */
  elementCount(): number {
    const { upperBound, count } = SLOT;
    if (!this.has(upperBound)) return this.u32(count);
    const isConstant = CLASSES[this.#form[upperBound] ?? 0] === Class.constant;
    return isConstant ? (this.u32(upperBound) + 1) >>> 0 : 0;
  }

  /** Returns the entry, for values that only few entries have. Throws `Malformed`. */
  die(): Die {
    return this.#unit.dieAt(this.scanner.offset);
  }
}
