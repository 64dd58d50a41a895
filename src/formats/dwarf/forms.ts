/** Sizes of attribute values by their form. Source: DWARF 5, section 7.5.6. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { hexText } from '#bytes/text.ts';
import { DW_FORM, formName } from './constants.ts';
import type { DwarfCursor } from './leb128.ts';

/** Properties of a unit on which sizes depend. */
export type UnitFormat = {
  readonly version: number;
  readonly addressSize: number;
  readonly offsetSize: 4 | 8;
};

/** Sizes in bytes of forms that have the same size in all units. */
const FIXED_SIZES: ReadonlyMap<number, number> = new Map([
  [DW_FORM.flag_present, 0],
  [DW_FORM.implicit_const, 0],
  ...[DW_FORM.data1, DW_FORM.flag, DW_FORM.ref1, DW_FORM.strx1, DW_FORM.addrx1].map(
    (form) => [form, 1] as const,
  ),
  ...[DW_FORM.data2, DW_FORM.ref2, DW_FORM.strx2, DW_FORM.addrx2].map((form) => [form, 2] as const),
  ...[DW_FORM.strx3, DW_FORM.addrx3].map((form) => [form, 3] as const),
  ...[DW_FORM.data4, DW_FORM.ref4, DW_FORM.ref_sup4, DW_FORM.strx4, DW_FORM.addrx4].map(
    (form) => [form, 4] as const,
  ),
  ...[DW_FORM.data8, DW_FORM.ref8, DW_FORM.ref_sig8, DW_FORM.ref_sup8].map(
    (form) => [form, 8] as const,
  ),
  [DW_FORM.data16, 16],
]);

/** Forms that are an offset in another section: 4 or 8 bytes by the format of the unit. */
const OFFSET_FORMS: ReadonlySet<number> = new Set([
  DW_FORM.strp,
  DW_FORM.sec_offset,
  DW_FORM.strp_sup,
  DW_FORM.line_strp,
  DW_FORM.GNU_ref_alt,
  DW_FORM.GNU_strp_alt,
]);

/** Forms that are one unsigned LEB128. */
export const UNSIGNED_LEB_FORMS: ReadonlySet<number> = new Set([
  DW_FORM.udata,
  DW_FORM.ref_udata,
  DW_FORM.strx,
  DW_FORM.addrx,
  DW_FORM.loclistx,
  DW_FORM.rnglistx,
  DW_FORM.GNU_addr_index,
  DW_FORM.GNU_str_index,
]);

/** Sizes in bytes of indexes of strings; 0 for LEB128. */
export const STRING_INDEXES: ReadonlyMap<number, number> = new Map([
  [DW_FORM.strx, 0],
  [DW_FORM.GNU_str_index, 0],
  [DW_FORM.strx1, 1],
  [DW_FORM.strx2, 2],
  [DW_FORM.strx3, 3],
  [DW_FORM.strx4, 4],
]);
/** Sizes in bytes of indexes of addresses; 0 for LEB128. */
export const ADDRESS_INDEXES: ReadonlyMap<number, number> = new Map([
  [DW_FORM.addrx, 0],
  [DW_FORM.GNU_addr_index, 0],
  [DW_FORM.addrx1, 1],
  [DW_FORM.addrx2, 2],
  [DW_FORM.addrx3, 3],
  [DW_FORM.addrx4, 4],
]);

/** Forms that are a number of bytes and these bytes. */
export const BLOCK_FORMS: ReadonlySet<number> = new Set([
  DW_FORM.block1,
  DW_FORM.block2,
  DW_FORM.block4,
  DW_FORM.block,
  DW_FORM.exprloc,
]);

/** Reads an index whose form has a size in `sizes`; null for another form. Throws `Malformed`. */
export function readIndex(
  cursor: DwarfCursor,
  form: number,
  sizes: ReadonlyMap<number, number>,
): number | null {
  const size = sizes.get(form);
  if (size === undefined) return null;
  return size === 0 ? cursor.uleb() : cursor.small(size);
}

/** Returns the size of a value in bytes; -1 if it depends on the value or the form is unknown. */
export function fixedSize(form: number, format: UnitFormat): number {
  const size = FIXED_SIZES.get(form);
  if (size !== undefined) return size;
  if (form === DW_FORM.addr) return format.addressSize;
  // DWARF 2 stores the reference in the size of an address.
  if (form === DW_FORM.ref_addr) return format.version < 3 ? format.addressSize : format.offsetSize;
  return OFFSET_FORMS.has(form) ? format.offsetSize : -1;
}

/** Moves `cursor` past a value. Throws `Malformed` for an unknown form. */
export function skipValue(cursor: DwarfCursor, form: number, format: UnitFormat): void {
  const actual = form === DW_FORM.indirect ? directForm(cursor) : form;
  const size = fixedSize(actual, format);
  if (size >= 0) cursor.at += size;
  else if (actual === DW_FORM.sdata || UNSIGNED_LEB_FORMS.has(actual)) cursor.skipLeb();
  else if (actual === DW_FORM.string) cursor.at = stringEnd(cursor.reader, cursor.at) + 1;
  else {
    const length = blockLength(cursor, actual);
    cursor.at += length;
  }
  if (cursor.at > cursor.reader.length) cursor.reader.require(cursor.at, 1, 'a value');
}

/** Reads the form of a value of DW_FORM_indirect. */
export function directForm(cursor: DwarfCursor): number {
  const start = cursor.at;
  const form = cursor.uleb();
  if (form !== DW_FORM.indirect && form !== DW_FORM.implicit_const) return form;
  throw cursor.reader.malformed(
    'dwarf.form',
    `${cursor.reader.region}: a form that leads to itself`,
    {
      at: [start, cursor.at - start],
      expected: 'another form than DW_FORM_indirect and DW_FORM_implicit_const',
      found: hexText(form),
    },
  );
}

/** Reads the length of a block. Throws `Malformed` for a form that is no block. */
export function blockLength(cursor: DwarfCursor, form: number): number {
  switch (form) {
    case DW_FORM.block1:
      return cursor.u8();
    case DW_FORM.block2:
      return cursor.u16();
    case DW_FORM.block4:
      return cursor.u32();
    case DW_FORM.block:
    case DW_FORM.exprloc:
      return cursor.uleb();
    default:
      throw cursor.reader.malformed(
        'dwarf.form',
        `${cursor.reader.region}: unknown form ${formName(form)}`,
        { at: [cursor.at, 1], expected: 'a form of DWARF 2 to 5', found: hexText(form) },
      );
  }
}

/** Returns the offset of the NUL that ends the string at `start`. Throws if there is none. */
export function stringEnd(reader: ByteReader, start: number): number {
  reader.require(start, 1, 'a string');
  const end = reader.bytes.indexOf(0, start);
  if (end >= 0) return end;
  throw reader.malformed('dwarf.string-end', `${reader.region}: a string without end`, {
    at: [start, reader.length - start],
    expected: 'a NUL byte',
    found: `${reader.length - start} bytes up to the end of the section`,
  });
}
