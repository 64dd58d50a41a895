import { expect, it } from 'vitest';
import { JsonRow } from './json-row.ts';

const row = JsonRow.parse(
  '{"a":"x","n":2,"f":true,"l":[1,2],"t":["u"],"r":{"k":1},"rs":[{}],"z":null}',
);

it('returns fields of the requested type', () => {
  expect([row.text('a'), row.number('n'), row.flag('f')]).toEqual(['x', 2, true]);
  expect([row.numbers('l'), row.texts('t'), row.list('l')]).toEqual([[1, 2], ['u'], [1, 2]]);
  expect(row.row('r').number('k')).toBe(1);
  expect(row.rows('rs')).toHaveLength(1);
  expect([row.has('a'), row.has('z'), row.has('nothing')]).toEqual([true, false, false]);
});

it.each<[string, () => unknown, string]>([
  ['text', () => row.text('n'), 'field n: text was expected, not 2'],
  ['a number', () => row.number('a'), 'field a: a number was expected, not "x"'],
  ['a flag', () => row.flag('nothing'), 'field nothing: true or false was expected, not nothing'],
  ['a list', () => row.list('r'), 'field r: a list was expected'],
  ['texts', () => row.texts('l'), 'field l: texts was expected'],
  ['numbers', () => row.numbers('t'), 'field t: numbers was expected'],
  ['a row', () => row.row('l'), 'a JSON object was expected, not [1,2]'],
])('names the field that is not %s', (_sort, read, message) => {
  expect(read).toThrow(message);
});
