import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { runs } from '#testing/runs.ts';
import { firstUnitLanguage, languageName } from './unit-language.ts';

const reader = (bytes: readonly number[]) => new ByteReader(Uint8Array.from(bytes), 'DWARF');

/** Abbreviation 1: DW_TAG_compile_unit with children, and the attributes as pairs. */
const abbrev = (...attributes: readonly number[]) => [1, 0x11, 1, ...attributes, 0, 0, 0];

/** DWARF 4 unit with 8-byte addresses, and the values of its first entry. */
const unit4 = (...values: readonly number[]) => [
  ...[0xff, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8],
  1,
  ...values,
];
/** DWARF 5 unit of type DW_UT_compile. */
const unit5 = (...values: readonly number[]) => [
  ...[0xff, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0],
  1,
  ...values,
];

describe('firstUnitLanguage', () => {
  it('skips the attributes before the language', () => {
    // DW_AT_producer (strp), DW_AT_language (data1).
    const table = abbrev(0x25, 0x0e, 0x13, 0x0b);
    expect(firstUnitLanguage(reader(unit4(1, 2, 3, 4, 0x0c)), reader(table))).toBe(0x0c);
    expect(firstUnitLanguage(reader(unit5(1, 2, 3, 4, 0x1d)), reader(table))).toBe(0x1d);
    // DW_AT_name (string), DW_AT_low_pc (addr), DW_AT_language (data2).
    const long = abbrev(0x03, 0x08, 0x11, 0x01, 0x13, 0x05);
    const values = [0x61, 0, ...new Array<number>(8).fill(9), 0x01, 0x80];
    expect(firstUnitLanguage(reader(unit4(...values)), reader(long))).toBe(0x8001);
  });

  it('reads a constant of the abbreviation', () => {
    expect(firstUnitLanguage(reader(unit5()), reader(abbrev(0x13, 0x21, 0x1c)))).toBe(0x1c);
  });

  it('is null without the attribute, and for another version', () => {
    expect(firstUnitLanguage(reader(unit4(1)), reader(abbrev(0x03, 0x0b)))).toBeNull();
    expect(firstUnitLanguage(reader([9, 0, 0, 0, 6, 0]), reader(abbrev(0x13, 0x0b)))).toBeNull();
  });

  it('returns or throws Malformed for any bytes', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 64 });
    fc.assert(
      fc.property(bytes, bytes, (info, table) => {
        try {
          firstUnitLanguage(reader(unit4(...info)), reader(table));
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

it('names languages', () => {
  expect([0x0c, 0x21, 0x1c, 0x3f].map(languageName)).toEqual(['C', 'C++', 'Rust', 'language 0x3f']);
});
