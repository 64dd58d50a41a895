/**
 * Location lists and range lists. Source: DWARF 5, sections 7.7.3 and 7.25; DWARF 4, sections 2.6.2
 * and 2.17.3. The number of entries is bounded by the section, as each takes at least one byte.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Malformed } from '#bytes/issue.ts';
import { DW_AT, DW_FORM } from './constants.ts';
import { DwarfCursor } from './leb128.ts';
import type { Die, DwarfUnit } from './reader.ts';

/** Entries of location lists in `.debug_loclists` (7.7.3). */
export const DW_LLE = {
  end_of_list: 0,
  base_addressx: 1,
  startx_endx: 2,
  startx_length: 3,
  offset_pair: 4,
  default_location: 5,
  base_address: 6,
  start_end: 7,
  start_length: 8,
} as const;

/** Entries of range lists in `.debug_rnglists` (7.25). */
export const DW_RLE = {
  end_of_list: 0,
  base_addressx: 1,
  startx_endx: 2,
  startx_length: 3,
  offset_pair: 4,
  base_address: 5,
  start_end: 6,
  start_length: 7,
} as const;

/** Addresses from `start` to `end` (exclusive). */
export type AddressRange = { readonly start: bigint; readonly end: bigint };

/** Location in a range of addresses; `range` is null for the default location. */
export type ListedLocation = {
  readonly range: AddressRange | null;
  readonly expression: ByteReader;
};

/** Locations of an entry: one expression, a list of them, or none. */
export type Locations =
  | { readonly kind: 'expression'; readonly expression: ByteReader }
  | { readonly kind: 'list'; readonly list: readonly ListedLocation[] };

/** Returns the value of a location attribute; null if the entry lacks it. Throws `Malformed`. */
export function locationsOf(die: Die, attribute: number = DW_AT.location): Locations | null {
  const expression = die.block(attribute);
  if (expression !== null) return { kind: 'expression', expression };
  const value = die.number(attribute);
  if (value === null) return null;
  const isIndex = die.form(attribute) === DW_FORM.loclistx;
  return { kind: 'list', list: readLocations(die.unit, value, isIndex) };
}

/** Returns the ranges of code of a unit, function, block or inlined site. Throws `Malformed`. */
export function rangesOf(die: Die): readonly AddressRange[] {
  const ranges = die.number(DW_AT.ranges);
  if (ranges !== null) {
    const isIndex = die.form(DW_AT.ranges) === DW_FORM.rnglistx;
    return [...readRanges(die.unit, ranges, isIndex)].filter((range) => range !== null);
  }
  const start = die.address(DW_AT.low_pc);
  if (start === null) return [];
  const length = die.constant(DW_AT.high_pc);
  const end = length === null ? die.address(DW_AT.high_pc) : start + length;
  return end === null ? [] : [{ start, end }];
}

/** Most entries of a list that are read for its first range: GCC and clang write a base first. */
const MAX_LEADING = 4;

/** Returns the first address of the code of an entry; null if it has none. Throws `Malformed`. */
export function startOf(die: Die): bigint | null {
  const ranges = die.number(DW_AT.ranges);
  if (ranges === null) return die.address(DW_AT.low_pc);
  const list = readRanges(die.unit, ranges, die.form(DW_AT.ranges) === DW_FORM.rnglistx);
  for (let left = MAX_LEADING; left > 0; left--) {
    const next = list.next();
    if (next.done === true) return null;
    if (next.value !== null) return next.value.start;
  }
  return null;
}

/** Forms of entries that locations and ranges share. */
const ENTRY = {
  [DW_LLE.base_addressx]: 'base index',
  [DW_LLE.startx_endx]: 'two indexes',
  [DW_LLE.startx_length]: 'index and length',
  [DW_LLE.offset_pair]: 'offsets',
} as const;

type EntryForm = (typeof ENTRY)[keyof typeof ENTRY] | 'base' | 'addresses' | 'address and length';

function formOfRange(code: number): EntryForm | null {
  if (code === DW_RLE.base_address) return 'base';
  if (code === DW_RLE.start_end) return 'addresses';
  if (code === DW_RLE.start_length) return 'address and length';
  return ENTRY[code as keyof typeof ENTRY] ?? null;
}

function formOfLocation(code: number): EntryForm | null {
  if (code === DW_LLE.base_address) return 'base';
  if (code === DW_LLE.start_end) return 'addresses';
  if (code === DW_LLE.start_length) return 'address and length';
  return ENTRY[code as keyof typeof ENTRY] ?? null;
}

/** Yields the ranges of a list, and null for each entry that states a base. */
function* readRanges(
  unit: DwarfUnit,
  value: number,
  isIndex: boolean,
): Generator<AddressRange | null> {
  const { version } = unit.header;
  if (version < 5) {
    const { skeleton } = unit;
    const start = skeleton?.root.number(DW_AT.GNU_ranges_base) ?? 0;
    const section = (skeleton ?? unit).required('ranges');
    for (const { range } of pairs(unit, section, start + value)) yield range;
    return;
  }
  const section = unit.required('rnglists');
  const { rnglists } = unit.bases;
  const cursor = new DwarfCursor(section, listOffset(unit, section, rnglists, value, isIndex));
  let base = baseOf(unit);
  for (;;) {
    const at = cursor.at;
    const code = cursor.u8();
    if (code === DW_RLE.end_of_list) return;
    const form = formOfRange(code);
    if (form === null) throw unknownEntry(section, at, code);
    const range = readRange(unit, cursor, form, base);
    if ('base' in range) {
      base = range.base;
      yield null;
    } else yield range;
  }
}

function readLocations(unit: DwarfUnit, value: number, isIndex: boolean): ListedLocation[] {
  const { version } = unit.header;
  const list: ListedLocation[] = [];
  if (version < 5) {
    for (const { range, cursor } of pairs(unit, unit.required('loc'), value)) {
      list.push({ range, expression: readBlock(cursor, cursor.u16()) });
    }
    return list;
  }
  const section = unit.required('loclists');
  const { loclists } = unit.bases;
  const cursor = new DwarfCursor(section, listOffset(unit, section, loclists, value, isIndex));
  let base = baseOf(unit);
  for (;;) {
    const at = cursor.at;
    const code = cursor.u8();
    if (code === DW_LLE.end_of_list) return list;
    if (code === DW_LLE.default_location) {
      list.push({ range: null, expression: readBlock(cursor, cursor.uleb()) });
      continue;
    }
    const form = formOfLocation(code);
    if (form === null) throw unknownEntry(section, at, code);
    const range = readRange(unit, cursor, form, base);
    if ('base' in range) base = range.base;
    else list.push({ range, expression: readBlock(cursor, cursor.uleb()) });
  }
}

/** Reads the pairs of addresses of `.debug_loc` and `.debug_ranges` up to the pair of zeros. */
function* pairs(
  unit: DwarfUnit,
  section: ByteReader,
  at: number,
): Generator<{ readonly range: AddressRange; readonly cursor: DwarfCursor }> {
  const { addressSize } = unit.header;
  const last = (1n << BigInt(8 * addressSize)) - 1n;
  const cursor = new DwarfCursor(section, at);
  let base = baseOf(unit);
  for (;;) {
    const start = cursor.unsigned(addressSize);
    const end = cursor.unsigned(addressSize);
    if (start === 0n && end === 0n) return;
    if (start === last) base = end;
    else yield { range: { start: base + start, end: base + end }, cursor };
  }
}

function readRange(
  unit: DwarfUnit,
  cursor: DwarfCursor,
  form: EntryForm,
  base: bigint,
): AddressRange | { readonly base: bigint } {
  const { addressSize } = unit.header;
  switch (form) {
    case 'base index':
      return { base: unit.address(cursor.uleb()) };
    case 'base':
      return { base: cursor.unsigned(addressSize) };
    case 'two indexes': {
      const start = unit.address(cursor.uleb());
      return { start, end: unit.address(cursor.uleb()) };
    }
    case 'index and length': {
      const start = unit.address(cursor.uleb());
      return { start, end: start + cursor.bigUleb() };
    }
    case 'offsets': {
      const start = base + cursor.bigUleb();
      return { start, end: base + cursor.bigUleb() };
    }
    case 'addresses': {
      const start = cursor.unsigned(addressSize);
      return { start, end: cursor.unsigned(addressSize) };
    }
    case 'address and length': {
      const start = cursor.unsigned(addressSize);
      return { start, end: start + cursor.bigUleb() };
    }
  }
}

/** Returns the offset of a list: the value, or that of the index relative to `base`. */
function listOffset(
  unit: DwarfUnit,
  section: ByteReader,
  base: number,
  value: number,
  isIndex: boolean,
): number {
  if (!isIndex) return value;
  const { offsetSize } = unit.header;
  return base + new DwarfCursor(section, base + value * offsetSize).offset(offsetSize);
}

/** Returns the address to which offsets in lists are relative: the start of the unit. */
function baseOf(unit: DwarfUnit): bigint {
  return unit.linked.root.address(DW_AT.low_pc) ?? 0n;
}

function readBlock(cursor: DwarfCursor, length: number): ByteReader {
  const block = cursor.reader.slice(cursor.at, length);
  cursor.at += length;
  return block;
}

function unknownEntry(section: ByteReader, at: number, code: number): Malformed {
  return section.malformed('dwarf.list-entry', `${section.region}: unknown entry ${code}`, {
    at: [at, 1],
    expected: 'an entry of DWARF 5',
    found: `${code}`,
  });
}
