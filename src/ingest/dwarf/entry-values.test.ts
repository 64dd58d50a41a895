import { expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { DW_AT, DW_FORM, DW_TAG } from '#formats/dwarf/constants.ts';
import { DwarfReader } from '#formats/dwarf/reader.ts';
import { assemble, distance, label, type Part, raw, u8, u16, u32 } from '#testing/assemble.ts';
import { wideConstant } from './entry-values.ts';

/** Returns an entry with DW_AT_discr_value in a form. */
function variant(endian: Endian, form: number, value: readonly Part[]) {
  const abbrev = [1, DW_TAG.variant, 0, DW_AT.discr_value, form, 0, 0, 0];
  const unit = [u16(4), u32(0), u8(8), u8(1), ...value];
  const { bytes } = assemble(
    endian,
    u32(distance('unit', 'end')),
    label('unit'),
    ...unit,
    label('end'),
  );
  const { units } = new DwarfReader({
    info: new ByteReader(bytes, '.debug_info', endian),
    abbrev: new ByteReader(Uint8Array.from(abbrev), '.debug_abbrev', endian),
  });
  const [first] = units;
  if (first === undefined) throw new Error('no unit');
  return first.root;
}

const WIDE = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1];

it.each([
  ['little', 0x0102n << 112n],
  ['big', 0x0201n],
] as const)('wideConstant reads a block of 16 bytes, %s-endian', (endian, value) => {
  const read = (form: number, parts: readonly Part[]) =>
    wideConstant(variant(endian, form, parts), DW_AT.discr_value);
  expect(read(DW_FORM.block1, [u8(16), raw(WIDE)])).toBe(value);
  expect(read(DW_FORM.data16, [raw(WIDE)])).toBe(value);
  expect(read(DW_FORM.data1, [u8(7)])).toBe(7n);
  expect(read(DW_FORM.block1, [u8(17), raw([...WIDE, 1])])).toBeNull();
  expect(read(DW_FORM.block1, [u8(0)])).toBeNull();
});
