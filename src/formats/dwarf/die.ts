/** Entries of DWARF and the values of their attributes. Source: DWARF 5, section 7.5.5. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { DW_FORM } from './constants.ts';
import {
  ADDRESS_INDEXES,
  BLOCK_FORMS,
  blockLength,
  directForm,
  fixedSize,
  readIndex,
  STRING_INDEXES,
  skipValue,
} from './forms.ts';
import { DwarfCursor } from './leb128.ts';
import type { DwarfUnit } from './reader.ts';

/** A value of an attribute: its form and its bytes in the section of its unit. */
export type AttributePlace = {
  /** DW_AT. */
  readonly attribute: number;
  /** DW_FORM; for DW_FORM_indirect the form that the value states. */
  readonly form: number;
  /** Offset in the section of the unit, and size in bytes. */
  readonly at: number;
  readonly size: number;
};

/** An entry. Values are read on access; attributes that the entry lacks are null. */
export class Die {
  readonly unit: DwarfUnit;
  readonly offset: number;
  readonly #row: number;
  /** Offset of the first value in the section of the unit. */
  readonly #values: number;

  constructor(unit: DwarfUnit, offset: number, row: number, values: number) {
    this.unit = unit;
    this.offset = offset;
    this.#row = row;
    this.#values = values;
  }

  /** DW_TAG. */
  get tag(): number {
    return this.unit.places.table.tag[this.#row] ?? 0;
  }

  get hasChildren(): boolean {
    return this.unit.places.table.hasChildren[this.#row] === 1;
  }

  has(attribute: number): boolean {
    return this.unit.places.indexOf(this.#row, attribute) >= 0;
  }

  /** Returns the values of the entry in the order of the file. Throws `Malformed`. */
  attributes(): AttributePlace[] {
    const { section, header, places } = this.unit;
    const { firstAttribute, attribute, form: forms } = places.table;
    const cursor = new DwarfCursor(section, this.#values);
    const all: AttributePlace[] = [];
    const end = firstAttribute[this.#row + 1] ?? 0;
    for (let index = firstAttribute[this.#row] ?? 0; index < end; index++) {
      let form = forms[index] ?? 0;
      if (form === DW_FORM.indirect) form = directForm(cursor);
      const { at } = cursor;
      skipValue(cursor, form, header);
      all.push({ attribute: attribute[index] ?? 0, form, at, size: cursor.at - at });
    }
    return all;
  }

  /** Returns the form of a value. Throws `Malformed`. */
  form(attribute: number): number | null {
    return this.#find(attribute)?.form ?? null;
  }

  /**
   * Returns a constant, index or offset as a number; null if it is of another class or has more
   * than 53 bits. Constants of fixed size are unsigned. Throws `Malformed`.
   */
  number(attribute: number): number | null {
    const value = this.#find(attribute);
    if (value === null) return null;
    const { cursor, form, index } = value;
    switch (form) {
      case DW_FORM.data1:
        return cursor.u8();
      case DW_FORM.data2:
        return cursor.u16();
      case DW_FORM.data4:
        return cursor.u32();
      case DW_FORM.sec_offset:
        return cursor.offset(this.unit.header.offsetSize);
      case DW_FORM.loclistx:
      case DW_FORM.rnglistx:
        return cursor.uleb();
      case DW_FORM.udata:
      case DW_FORM.sdata: {
        // Most numbers have one byte, and need no BigInt.
        const byte = cursor.reader.u8(cursor.at);
        if (byte < 0x40 || (byte < 0x80 && form === DW_FORM.udata)) return byte;
        return safeNumber(this.#constant(cursor, form, index));
      }
      default:
        return safeNumber(this.#constant(cursor, form, index));
    }
  }

  /** Returns a constant; null if the value is of another class. Throws `Malformed`. */
  constant(attribute: number): bigint | null {
    const value = this.#find(attribute);
    return value === null ? null : this.#constant(value.cursor, value.form, value.index);
  }

  /**
   * Returns a constant as signed: those of a fixed size are extended by their sign. Throws
   * `Malformed`.
   */
  signed(attribute: number): bigint | null {
    const value = this.#find(attribute);
    if (value === null) return null;
    const { cursor, form, index } = value;
    const exact = this.#constant(cursor, form, index);
    const size = CONSTANT_SIZES.get(form);
    return exact === null || size === undefined ? exact : BigInt.asIntN(size * 8, exact);
  }

  #constant(cursor: DwarfCursor, form: number, index: number): bigint | null {
    const size = CONSTANT_SIZES.get(form);
    if (size !== undefined) return cursor.unsigned(size);
    if (form === DW_FORM.udata) return cursor.bigUleb();
    if (form === DW_FORM.sdata) return cursor.sleb();
    if (form !== DW_FORM.implicit_const) return null;
    return this.unit.places.table.implicit.get(index) ?? null;
  }

  /** Returns true if the flag is present and set. Throws `Malformed`. */
  flag(attribute: number): boolean {
    const value = this.#find(attribute);
    if (value === null) return false;
    if (value.form === DW_FORM.flag_present) return true;
    return value.form === DW_FORM.flag && value.cursor.u8() !== 0;
  }

  /**
   * Returns the offset of the entry to which a reference leads; null for another class, for a
   * signature that no unit has, and for a supplementary file that is not read. Throws `Malformed`.
   */
  reference(attribute: number): number | null {
    const value = this.#find(attribute);
    if (value === null) return null;
    const { cursor, form } = value;
    const { header, offset: start, reader } = this.unit;
    switch (form) {
      case DW_FORM.ref1:
        return start + cursor.u8();
      case DW_FORM.ref2:
        return start + cursor.u16();
      case DW_FORM.ref4:
        return start + cursor.u32();
      case DW_FORM.ref8:
        return start + cursor.offset(8);
      case DW_FORM.ref_udata:
        return start + cursor.uleb();
      case DW_FORM.ref_addr:
        return reader.base + Number(cursor.unsigned(fixedSize(form, header)));
      case DW_FORM.GNU_ref_alt:
      case DW_FORM.ref_sup4:
      case DW_FORM.ref_sup8: {
        const { supplement } = reader;
        if (supplement === null) return null;
        return supplement.base + Number(cursor.unsigned(fixedSize(form, header)));
      }
      case DW_FORM.ref_sig8:
        return reader.typeWithSignature(cursor.u64());
      default:
        return null;
    }
  }

  /**
   * Returns an address; null for another class, and for one that is in the file of a split unit's
   * skeleton. Throws `Malformed`.
   */
  address(attribute: number): bigint | null {
    const value = this.#find(attribute);
    if (value === null) return null;
    const { cursor, form } = value;
    if (form === DW_FORM.addr) return cursor.unsigned(this.unit.header.addressSize);
    const index = readIndex(cursor, form, ADDRESS_INDEXES);
    if (index === null || this.unit.lacksAddresses) return null;
    return this.unit.address(index);
  }

  /** Returns a string; null for another class and a supplementary file. Throws `Malformed`. */
  string(attribute: number): string | null {
    const place = this.stringPlace(attribute);
    return place === null ? null : this.unit.reader.strings.at(place.section, place.offset);
  }

  /** Returns where a string begins; null as `string` does. Throws `Malformed`. */
  stringPlace(attribute: number): { readonly section: ByteReader; readonly offset: number } | null {
    const value = this.#find(attribute);
    if (value === null) return null;
    const { cursor, form } = value;
    const { unit } = this;
    const { str, line_str } = unit.reader.sections;
    if (form === DW_FORM.string) return { section: cursor.reader, offset: cursor.at };
    if (form === DW_FORM.strp) {
      const offset = cursor.offset(unit.header.offsetSize);
      return str === undefined ? null : { section: str, offset };
    }
    if (form === DW_FORM.line_strp) {
      const offset = cursor.offset(unit.header.offsetSize);
      return line_str === undefined ? null : { section: line_str, offset };
    }
    if (form === DW_FORM.GNU_strp_alt || form === DW_FORM.strp_sup) {
      const strings = unit.reader.supplement?.sections.str;
      const offset = cursor.offset(unit.header.offsetSize);
      return strings === undefined ? null : { section: strings, offset };
    }
    const index = readIndex(cursor, form, STRING_INDEXES);
    if (index === null || str === undefined) return null;
    return { section: str, offset: unit.stringOffset(index) };
  }

  /** Returns the bytes of a block or expression; null for another class. Throws `Malformed`. */
  block(attribute: number): ByteReader | null {
    const value = this.#find(attribute);
    if (value === null) return null;
    const { cursor, form } = value;
    if (form === DW_FORM.data16) return cursor.reader.slice(cursor.at, 16);
    if (!BLOCK_FORMS.has(form)) return null;
    const length = blockLength(cursor, form);
    return cursor.reader.slice(cursor.at, length);
  }

  /** Finds a value: its form, a cursor at its first byte and its index in the table. */
  #find(attribute: number): Value | null {
    const { places, section } = this.unit;
    const index = places.indexOf(this.#row, attribute);
    if (index < 0) return null;
    const cursor = new DwarfCursor(section, this.#values);
    places.moveTo(cursor, this.#row, index);
    const form = places.table.form[index] ?? 0;
    return { cursor, index, form: form === DW_FORM.indirect ? directForm(cursor) : form };
  }
}

function safeNumber(exact: bigint | null): number | null {
  if (exact === null) return null;
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : null;
}

type Value = { readonly cursor: DwarfCursor; readonly index: number; readonly form: number };

/** Sizes of constants in bytes. */
const CONSTANT_SIZES: ReadonlyMap<number, number> = new Map([
  [DW_FORM.data1, 1],
  [DW_FORM.data2, 2],
  [DW_FORM.data4, 4],
  [DW_FORM.data8, 8],
]);
