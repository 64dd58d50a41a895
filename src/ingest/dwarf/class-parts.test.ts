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
  ...[2, DW_TAG.class_type, 1, DW_AT.name, DW_FORM.string, 0, 0],
  ...[3, DW_TAG.subprogram, 1, DW_AT.name, DW_FORM.string, 0, 0],
  ...[4, DW_TAG.formal_parameter, 0, 0, 0],
  0,
];

/** Returns the numbers of parameters of the methods of a class that are read with `left`. */
function readWith(left: number, params: readonly number[]) {
  const methods: Part[] = params.flatMap((count) => [
    ...[u8(3), cstring('m')],
    ...Array.from({ length: count }, () => u8(4)),
    u8(0),
  ]);
  const contents = [u8(2), cstring('c'), ...methods, u8(0), u8(0)];
  const unit = [u16(4), u32(0), u8(8), u8(1), u8(DW_LANG.C_plus_plus), ...contents];
  const length = u32(distance('unit', 'end'));
  const { bytes } = assemble('little', length, label('unit'), ...unit, label('end'));
  const { units } = new DwarfReader({
    info: new ByteReader(bytes, '.debug_info'),
    abbrev: new ByteReader(Uint8Array.from(ABBREVS), '.debug_abbrev'),
  });
  const faults = new IssueCollector('.debug_info');
  const types = new UnitTypes(new NamePool(bytes.length), faults);
  for (const _ of types.read(units));
  const budget = { left };
  const parts = types.partsAt(types.records.die[1] ?? 0, budget);
  expect(faults.issues()).toEqual([]);
  return { params: parts.map((part) => part.params.length), left: budget.left };
}

it('reads the methods of a class with their parameters', () => {
  expect(readWith(100, [0, 2, 1])).toEqual({ params: [0, 2, 1], left: 94 });
});

it('reads no more parts and parameters than are allowed', () => {
  expect(readWith(4, [0, 9, 1])).toEqual({ params: [0, 2], left: 0 });
  expect(readWith(0, [0, 2])).toEqual({ params: [], left: 0 });
});
