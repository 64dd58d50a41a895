import { expect, it } from 'vitest';
import { resolveObject } from '#analysis/core/resolve.ts';
import { int, struct } from '#testing/btf-types.ts';
import { coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { triedCell } from './KernelResults.tsx';

const local = typesOfBlob([
  int('int', 4, { encoding: 1 }),
  struct('s', 12, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 32 },
    { name: 'gone', type: 1, bitOffset: 64 },
  ]),
  struct('', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
]);
const target = targetOfBlob([
  int('int', 4, { encoding: 1 }),
  struct('s', 16, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 64 },
  ]),
]);

it.each([
  ['the same offset', { kind: 0, root: 2, accessStr: '0:0' }, { text: '0', state: 'same' }],
  ['another offset', { kind: 0, root: 2, accessStr: '0:1' }, { text: '8', state: 'differs' }],
  ['no field', { kind: 0, root: 2, accessStr: '0:2' }, { text: 'absent', state: 'absent' }],
  ['no field, asked for', { kind: 2, root: 2, accessStr: '0:2' }, { text: '0', state: 'absent' }],
  ['a field, asked for', { kind: 2, root: 2, accessStr: '0:1' }, { text: '1', state: 'same' }],
  ['no name', { kind: 8, root: 3, accessStr: '0' }, { text: 'fails', state: 'none' }],
])('%s', (_, asked, expected) => {
  const [result] = resolveObject(coreObject(local, [asked]), target);
  if (result === undefined) throw new Error('one record has one result');
  const cell = triedCell(result);
  expect(cell).toMatchObject(expected);
  expect(cell.title).not.toBe('');
});
