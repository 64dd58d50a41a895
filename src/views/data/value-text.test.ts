import { expect, it } from 'vitest';
import { partAt } from '#analysis/values/decode.ts';
import { variableValue } from '#analysis/values/variables.ts';
import { openData, variableCalled } from '#testing/sample-data.ts';
import { bitParts } from './ValueTree.tsx';
import { bitsText, bytesText, otherForm, previewText } from './value-text.ts';

async function sampleValue(file: string, name: string) {
  const { model, groups, sectionBytes } = await openData(file);
  const value = variableValue(model, sectionBytes, variableCalled(groups, name));
  if (value === null) throw new Error(`no value of ${name}`);
  return value;
}

it.each([
  ['xdp_counter.bpf.o', 'udp_limit', '1000000', '0xf4240', '40 42 0f 00 00 00 00 00'],
  ['xdp_counter.be.bpf.o', 'udp_limit', '1000000', '0xf4240', '00 00 00 00 00 0f 42 40'],
  ['xdp_counter.bpf.o', 'track_flows', 'true', '', '01'],
  ['xdp_counter.bpf.o', 'LICENSE', '"Dual MIT/GPL"', '', '44 75 61 6c 20 4d 49 54 …'],
  [
    'data_relocs.bpf.o',
    'numbers',
    '{10, 11, 12, 13, 14, 15, 16, 17}',
    '',
    '0a 00 00 00 0b 00 00 00 …',
  ],
  [
    'data_relocs.bpf.o',
    'table',
    '{first, second, third, NULL, second}',
    '',
    '10 00 00 00 00 00 00 00 …',
  ],
  [
    'data_relocs.bpf.o',
    'begin',
    '{.name = "begin", .run = first, .next = &last, .weight = 1}',
    '',
    '00 00 00 00 00 00 00 00 …',
  ],
])('%s: %s in one line', async (file, name, preview, other, bytes) => {
  const value = await sampleValue(file, name);
  expect(previewText(value)).toBe(preview);
  expect(otherForm(value)).toBe(other);
  expect(bytesText(value)).toBe(bytes);
});

it('is cut where a value has many parts or levels', async () => {
  expect(previewText(await sampleValue('data_relocs.bpf.o', 'scratch'))).toBe(
    '{0, 0, 0, 0, 0, 0, 0, 0, …}',
  );
  const text = previewText(await sampleValue('kinds.bpf.o', 'everything'));
  expect(text.length).toBeLessThanOrEqual(90);
  expect(text).toMatch(/^\{\.integers = \{.*…$/);
  // A number without its last digits would be another number.
  expect(text).not.toMatch(/\d…$/);
});

it('names the bits of a bit-field, and draws them in its bytes', async () => {
  const everything = await sampleValue('kinds.bpf.o', 'everything');
  const bits = [...Array(everything.partCount).keys()]
    .map((index) => partAt(everything, index))
    .find((part) => part?.name === 'bits');
  const belowZero = bits === null || bits === undefined ? null : partAt(bits, 2);
  if (belowZero === null) throw new Error('no bit-field');
  expect(bitsText(belowZero)).toBe('bits 0-11');
  expect(bitParts(belowZero)?.map(({ field, length }) => [field, length])).toEqual([
    ['', 4],
    ['below_zero', 12],
  ]);
  expect(bitParts(everything)).toBeNull();
  expect(bitsText(everything)).toBe('');
});

it('counts bits from the top in a big-endian file', async () => {
  const everything = await sampleValue('kinds.be.bpf.o', 'everything');
  const bits = [...Array(everything.partCount).keys()]
    .map((index) => partAt(everything, index))
    .find((part) => part?.name === 'bits');
  const first = bits === null || bits === undefined ? null : partAt(bits, 0);
  if (first === null) throw new Error('no bit-field');
  expect(bitParts(first)?.map(({ field, length }) => [field, length])).toEqual([
    ['first', 1],
    ['', 7],
  ]);
});
