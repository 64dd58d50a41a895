import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, ptr, struct, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { forcedBy, type LitStep, litByAccess, litByMembers, pathTypes } from './lit.ts';

const member = (name: string, type: number, bitOffset = 0) => ({ name, type, bitOffset });

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4), // 1
      struct('leaf', 8, [member('a', 1), member('b', 1, 32)]),
      array(2, 1, 4),
      union('', 32, [member('list', 3), member('one', 2)]),
      ptr(2), // 5
      struct('root', 64, [member('n', 1), member('', 4, 64), member('far', 5, 320)]),
      ptr(6),
    ],
  }).bytes,
);

const told = (steps: readonly LitStep[]) =>
  steps.map(({ type, path, to, first, last }) => {
    const numbers = first === last ? `${first}` : `${first}-${last}`;
    return `${numbers}: ${type}.${path.join('.')}${to === null ? '' : ` > ${to}`}`;
  });

it('follows an access string: anonymous members stay in their node, elements are behind one edge', () => {
  expect(told(litByAccess(t, typeId(6), '0:1:0:3:1', 0))).toEqual([
    '0: 6.',
    '1: 6.1',
    '2-3: 6.1.0 > 2',
    '4: 2.1',
  ]);
});

it('has an edge for a pointer at the end', () => {
  expect(told(litByAccess(t, typeId(6), '0:2', 0))).toEqual(['0: 6.', '1: 6.2 > 2']);
  expect(told(litByAccess(t, typeId(7), '0', 8))).toEqual(['0: 6.']);
});

it('keeps the steps before a fault', () => {
  expect(told(litByAccess(t, typeId(6), '0:0:7', 0))).toEqual(['0: 6.', '1: 6.0']);
  expect(litByAccess(t, typeId(6), 'x', 0)).toEqual([]);
});

it('follows a member path from any type', () => {
  expect(told(litByMembers(t, typeId(6), [1, 1, 0]))).toEqual(['0: 6.1', '1: 6.1.1 > 2', '2: 2.0']);
  expect(litByMembers(t, typeId(6), [9])).toEqual([]);
});

it('lists the rows and the expanded types that it needs', () => {
  const steps = litByAccess(t, typeId(6), '0:1:0:3:1', 0);
  expect(pathTypes(steps)).toEqual([6]);
  expect(forcedBy(steps)).toEqual([
    { type: 6, path: [1] },
    { type: 6, path: [1, 0] },
    { type: 2, path: [1] },
  ]);
});
