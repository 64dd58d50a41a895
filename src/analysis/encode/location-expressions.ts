/**
 * Finds the expressions of a location: one, or those of a list, without the addresses of the list.
 * Source: DWARF 5, section 7.7.3; DWARF 4, section 2.6.2.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { DW_FORM } from '#formats/dwarf/constants.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import { DW_LLE } from '#formats/dwarf/lists.ts';
import type { DwarfUnit } from '#formats/dwarf/reader.ts';
import type { LocationPlace } from './unit-tags.ts';

/** Bytes of an expression, from `start` to `end` in `section`. */
export type Expression = {
  readonly unit: DwarfUnit;
  readonly section: ByteReader;
  readonly start: number;
  readonly end: number;
};

/** Receives an expression and its number in the list. Returns false to end. */
type Visitor = (expression: Expression, index: number) => boolean;

/** Calls `visit` for each expression of a location. Throws `Malformed` at the first fault. */
export function eachExpression(place: LocationPlace, visit: Visitor): void {
  const { unit, form, isBlock, at, value } = place;
  if (isBlock) {
    visit({ unit, section: unit.section, start: at, end: at + value }, 0);
  } else if (unit.header.version < 5) {
    if (LISTS.has(form)) eachOfOldList(unit, at, visit);
  } else if (form === DW_FORM.loclistx || form === DW_FORM.sec_offset) {
    eachOfList(unit, form === DW_FORM.loclistx ? listAt(unit, at) : at, visit);
  }
}

/** Forms of an offset in `.debug_loc`. */
const LISTS: ReadonlySet<number> = new Set([DW_FORM.sec_offset, DW_FORM.data4, DW_FORM.data8]);

function listAt(unit: DwarfUnit, index: number): number {
  const { offsetSize } = unit.header;
  const base = unit.bases.loclists;
  const offsets = new DwarfCursor(unit.required('loclists'), base + index * offsetSize);
  return base + offsets.offset(offsetSize);
}

function eachOfList(unit: DwarfUnit, at: number, visit: Visitor): void {
  const section = unit.required('loclists');
  const cursor = new DwarfCursor(section, at);
  const { addressSize } = unit.header;
  for (let index = 0; ; ) {
    const start = cursor.at;
    const code = cursor.u8();
    switch (code) {
      case DW_LLE.end_of_list:
        return;
      case DW_LLE.base_addressx:
        cursor.skipLeb();
        continue;
      case DW_LLE.base_address:
        cursor.at += addressSize;
        continue;
      case DW_LLE.startx_endx:
      case DW_LLE.startx_length:
      case DW_LLE.offset_pair:
        cursor.skipLeb();
        cursor.skipLeb();
        break;
      case VIEW_PAIR:
        cursor.skipLeb();
        cursor.skipLeb();
        continue;
      case DW_LLE.start_end:
        cursor.at += 2 * addressSize;
        break;
      case DW_LLE.start_length:
        cursor.at += addressSize;
        cursor.skipLeb();
        break;
      case DW_LLE.default_location:
        break;
      default:
        throw section.malformed('dwarf.list-entry', `${section.region}: unknown entry ${code}`, {
          at: [start, 1],
          expected: 'an entry of DWARF 5',
          found: `${code}`,
        });
    }
    const length = cursor.uleb();
    section.require(cursor.at, length, 'an expression');
    const from = cursor.at;
    cursor.at += length;
    if (!visit({ unit, section, start: from, end: cursor.at }, index)) return;
    index += 1;
  }
}

/** DW_LLE_GNU_view_pair. */
const VIEW_PAIR = 9;

function eachOfOldList(unit: DwarfUnit, at: number, visit: Visitor): void {
  const section = unit.required('loc');
  const { bytes } = section;
  const { addressSize } = unit.header;
  const cursor = new DwarfCursor(section, at);
  for (let index = 0; ; ) {
    const first = cursor.at;
    section.require(first, 2 * addressSize, 'an entry');
    let isEnd = true;
    let isBase = true;
    for (let i = first; i < first + 2 * addressSize; i++) {
      if (bytes[i] !== 0) isEnd = false;
      if (i < first + addressSize && bytes[i] !== 0xff) isBase = false;
    }
    if (isEnd) return;
    cursor.at += 2 * addressSize;
    if (isBase) continue;
    const length = cursor.u16();
    section.require(cursor.at, length, 'an expression');
    const from = cursor.at;
    cursor.at += length;
    if (!visit({ unit, section, start: from, end: cursor.at }, index)) return;
    index += 1;
  }
}
