import { expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { IssueCollector } from '#bytes/issue.ts';
import { DW_AT, DW_FORM, DW_LANG, DW_TAG } from '#formats/dwarf/constants.ts';
import { DwarfReader } from '#formats/dwarf/reader.ts';
import { assemble, cstring, distance, label, type Part, u8, u16, u32 } from '#testing/assemble.ts';
import { NamePool } from './type-records.ts';
import { UnitTypes } from './unit-types.ts';

const ABBREVS = [
  ...[1, DW_TAG.compile_unit, 1, DW_AT.language, DW_FORM.data1, 0, 0],
  ...[2, DW_TAG.structure_type, 1, DW_AT.name, DW_FORM.string, 0, 0],
  ...[3, DW_TAG.template_type_parameter, 0, DW_AT.type, DW_FORM.ref4, 0, 0],
  0,
];
const SIZE_OF_CLASS = 9;
const FIRST_CLASS = 13;

/** Returns the names of the classes; class `i` has class `targets[i]` as its only argument. */
function namesOf(targets: readonly number[]): readonly string[] {
  const classes: Part[] = targets.flatMap((target) => [
    ...[u8(2), cstring('c')],
    ...[u8(3), u32(FIRST_CLASS + SIZE_OF_CLASS * target), u8(0)],
  ]);
  const unit = [u16(4), u32(0), u8(8), u8(1), u8(DW_LANG.C_plus_plus), ...classes, u8(0)];
  const length = u32(distance('unit', 'end'));
  const { bytes } = assemble('little', length, label('unit'), ...unit, label('end'));
  const { units } = new DwarfReader({
    info: new ByteReader(bytes, '.debug_info'),
    abbrev: new ByteReader(Uint8Array.from(ABBREVS), '.debug_abbrev'),
  });
  const names = new NamePool(bytes.length);
  const faults = new IssueCollector('.debug_info');
  const types = new UnitTypes(names, faults);
  for (const _ of types.read(units));
  expect(faults.issues()).toEqual([]);
  return types.records.name.slice(1).map((number) => names.nameOf(number));
}

it('writes no argument of a template in itself', () => {
  expect(namesOf([0])).toEqual(['c<c>']);
  expect(namesOf([1, 0])).toEqual(['c<c<c> >', 'c<c>']);
});

it('writes 32 of many nested templates', () => {
  const count = 5000;
  const names = namesOf(Array.from({ length: count }, (_, i) => Math.min(i + 1, count - 1)));
  expect(names).toHaveLength(count);
  expect(names[0]?.split('<')).toHaveLength(33);
});
