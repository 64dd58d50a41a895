import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { NameIds } from '#model/name-ids.ts';
import {
  array,
  datasec,
  enumeration,
  func,
  funcProto,
  int,
  ptr,
  struct,
  union,
  variable,
} from '#testing/btf-types.ts';
import { tableFrom } from '#testing/compared-types.ts';
import { declaredLine, linePlace, lineText } from './comparison-text.ts';
import { Side } from './side.ts';
import { Scopes, typeLines } from './type-lines.ts';

const types = tableFrom([
  int('int', 4),
  ptr(3),
  funcProto(1, [
    ['a', 1],
    ['', 0],
  ]),
  array(1, 1, 4),
  union('', 4, [{ name: 'u', type: 1, bitOffset: 0 }]),
  struct('s', 64, [
    { name: 'fn', type: 2, bitOffset: 0 },
    { name: 'list', type: 4, bitOffset: 64 },
    { name: 'bits', type: 1, bitOffset: 195, bitfieldSize: 3 },
    { name: '', type: 5, bitOffset: 224 },
    { name: 'named', type: 5, bitOffset: 256 },
  ]),
  enumeration('e', [['A', 7]]),
  func('f', 3),
  variable('v', 1),
  datasec('.data', 4, [[9, 0, 4]]),
]);
const side = new Side(types, new NameIds());
const linesOf = (id: number) => typeLines(side, typeId(id), new Scopes()).lines;

it('declares each line as C does, with its place', () => {
  expect(linesOf(6).map((line) => `${linePlace(line)} ${lineText(types, line)}`)).toEqual([
    '0x0 int (*fn)(int, ...)',
    '0x8 int list[4]',
    '0x18:3 int bits : 3',
    '0x1c union {',
    '0x1c int u',
    '0x20 union { … } named',
    '0x20 int u',
  ]);
  expect(linesOf(7).map((line) => lineText(types, line))).toEqual(['A = 7']);
  expect(linesOf(8).map((line) => `${linePlace(line)} ${lineText(types, line)}`)).toEqual([
    'returns int',
    '#1 int a',
    '#2 ...',
  ]);
  expect(linesOf(10).map((line) => `${linePlace(line)} ${lineText(types, line)}`)).toEqual([
    '0x0 v  (4 bytes)',
  ]);
});

it('separates the name, so that it can be highlighted', () => {
  const [first] = linesOf(6);
  expect(first && declaredLine(types, first)).toEqual({
    before: 'int (*',
    name: 'fn',
    after: ')(int, ...)',
  });
});
