import { describe, expect, it } from 'vitest';
import { type DecodeOptions, decodeValue, type PointerTarget } from '#analysis/values/decode.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  float,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  union,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  declarationText,
  stringLiteral,
  targetText,
  type ValueTextOptions,
  valueLines,
} from './value-text.ts';

const TYPES = [
  int('int', 4, { encoding: 1 }),
  int('char', 1, { encoding: 1 }),
  array(2, 1, 4),
  enumeration('E', [
    ['A', 1],
    ['B', 2],
    ['C', 4],
  ]),
  array(1, 1, 3),
  union('', 4, [{ name: 'x', type: 1, bitOffset: 0 }]),
  ptr(1),
  struct('s', 40, [
    { name: 'text', type: 3, bitOffset: 0 },
    { name: 'flags', type: 4, bitOffset: 32 },
    { name: 'numbers', type: 5, bitOffset: 64 },
    { name: '', type: 6, bitOffset: 160 },
    { name: 'to', type: 7, bitOffset: 192 },
    { name: 'none', type: 7, bitOffset: 256 },
  ]),
];

function text(
  types: readonly TypeRecord[],
  id: number,
  bytes: readonly number[],
  decodeOptions: DecodeOptions = {},
  options: ValueTextOptions = {},
): string {
  const table = tableOf(btfBlob({ types }).bytes);
  const value = decodeValue(table, typeId(id), Uint8Array.from(bytes), 0, decodeOptions);
  return [...valueLines('v = ', value, options)].join('\n');
}

const BYTES = [
  ...[0x61, 0x22, 0, 0],
  ...[3, 0, 0, 0],
  ...[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 3, 0, 0, 0],
  ...[7, 0, 0, 0],
  ...new Array<number>(16).fill(0),
];

const COUNTER: PointerTarget = {
  name: 'counter',
  what: 'variable',
  section: null,
  offset: 0n,
  delta: 8n,
  text: null,
};

it('is an initialiser, with comments for values that C lacks', () => {
  const pointers = { at: (at: number) => (at === 24 ? COUNTER : null), areIn: () => true };
  expect(text(TYPES, 8, BYTES, { pointers })).toBe(`v = {
	.text = "a\\"",
	.flags = A | B,
	.numbers = {
		1, -1, 3,
	},
	/* anonymous */ {
		.x = 7,
	},
	.to = (void *)&counter + 8,
	.none = NULL,
};`);
});

it('marks missing bytes', () => {
  expect(text(TYPES, 5, [1, 0, 0, 0, 2])).toBe('v = {\n\t1, /* … */, /* … */,\n};');
});

it('folds zeros on request, except those that a relocation fills', () => {
  const zeros = new Array<number>(40).fill(0);
  expect(text(TYPES, 8, zeros, {}, { foldZeros: true })).toBe('v = {};');
  expect(text(TYPES, 8, [], { byteLength: 40 }, { foldZeros: true })).toBe('v = {};');
  const pointers = { at: () => COUNTER, areIn: (_: number, end: number) => end > 24 };
  expect(text(TYPES, 8, zeros, { pointers }, { foldZeros: true })).toContain('.to = (void *)&');
  expect(text(TYPES, 8, zeros)).toContain('.numbers = {\n\t\t0, 0, 0,');
});

it('shows a limited number of elements and counts the rest', () => {
  const many = [int('int', 4), array(1, 1, 0xffffffff)];
  const bytes = { byteLength: 2 ** 34 };
  expect(text(many, 2, [1], bytes, { maxElements: 2 })).toBe(
    'v = {\n\t1, 0,\n\t/* … 4294967293 more */\n};',
  );
  expect(text([int('int', 4), array(1, 1, 0)], 2, [])).toBe('v = {};');
});

it('breaks rows of elements', () => {
  const lines = text([int('int', 4), array(1, 1, 100)], 2, new Array<number>(400).fill(0));
  expect(lines.split('\n').every((line) => line.length < 100)).toBe(true);
  expect(lines.match(/0,/g)).toHaveLength(100);
});

it('terminates on a struct that contains itself twice', () => {
  const types = [
    struct('loop', 4, [
      { name: 'again', type: 1, bitOffset: 0 },
      { name: 'and', type: 1, bitOffset: 0 },
    ]),
  ];
  const table = tableOf(btfBlob({ types }).bytes);
  let count = 0;
  for (const _ of valueLines('', decodeValue(table, typeId(1), new Uint8Array(4)))) count++;
  expect(count).toBeLessThan(300_000);
});

it.each([
  [[0x61, 0x0a, 0x09, 0x5c, 0x22], String.raw`"a\n\t\\\""`],
  [[0xff, 0x31, 0, 0x31], String.raw`"\3771\0001"`],
  [[], '""'],
])('writes %j as a string', (bytes, literal) => {
  expect(stringLiteral(Uint8Array.from(bytes))).toBe(literal);
});

it.each([
  [{ delta: 0n }, '&counter'],
  [{ delta: -4n }, '(void *)&counter - 4'],
  [{ what: 'function', delta: 0n }, 'counter'],
  [{ what: 'section', delta: 16n }, 'counter + 16'],
  [{ what: 'string', text: Uint8Array.of(0x68, 0x69) }, '"hi"'],
] as const)('writes what a pointer points at: %#', (over, words) => {
  expect(targetText({ ...COUNTER, ...over })).toBe(words);
});

describe('scalars', () => {
  it.each([
    [int('char', 1, { encoding: 2 }), [0x41], "'A'"],
    [int('char', 1, { encoding: 2 }), [0x27], '39'],
    [int('_Bool', 1, { encoding: 4 }), [1], 'true'],
    [int('u128', 16), [1, ...new Array<number>(15).fill(0)], '0x1'],
    [float('f', 4), [0, 0, 0xc0, 0x3f], '1.5'],
    [float('q', 16), [1, ...new Array<number>(15).fill(0)], '/* 0x1 */'],
    [ptr(0), [0x10, 0, 0, 0, 0, 0, 0, 0], '0x10'],
    [enumeration('E', [['A', 1]]), [9, 0, 0, 0], '9'],
    [struct('nothing', 0, []), [], '{}'],
  ])('%#', (type, bytes, word) => {
    expect(text([type], 1, bytes)).toBe(`v = ${word};`);
  });
});

it('declares a name as in C', () => {
  const types = [int('int', 4), modifier('const', 1), ptr(2), array(3, 1, 4)];
  const table = tableOf(btfBlob({ types }).bytes);
  expect(declarationText(table, typeId(4), 'v')).toBe('const int *v[4]');
});
