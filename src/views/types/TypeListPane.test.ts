import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  bestRow,
  FIRST_QUERY,
  foundText,
  isKindChosen,
  keptOrder,
  orderedBy,
  toggleKind,
} from './TypeListPane.tsx';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('toggleKind', () => {
  it('adds a kind and takes it away again', () => {
    const some = toggleKind(toggleKind(0, 4), 19);
    expect([4, 5, 19].map((kind) => isKindChosen(some, kind))).toEqual([true, false, true]);
    expect(toggleKind(toggleKind(some, 4), 19)).toBe(0);
  });

  it('stays unsigned at the last bit, which all later kinds share', () => {
    expect(toggleKind(0, 31)).toBe(2 ** 31);
    expect(isKindChosen(2 ** 31, 126)).toBe(true);
  });
});

it.each([
  ['task', 1],
  ['struct Task', 1],
  ['struct:task', 1],
  ['tas', 0],
  ['none', 0],
])('opens on Enter the row of %j with that name, else the first', (text, row) => {
  const types = tableOf(
    btfBlob({ types: [int('int', 4), struct('task_struct', 4, []), struct('task', 4, [])] }).bytes,
  );
  expect(bestRow(types, Uint32Array.of(2, 3), text)).toBe(row);
});

it('shows the largest first, but the first ids and names', () => {
  expect(orderedBy(FIRST_QUERY, 'size').descending).toBe(true);
  expect(orderedBy(orderedBy(FIRST_QUERY, 'size'), 'name').descending).toBe(false);
});

it.each([
  [FIRST_QUERY, 1, 1, '1 type'],
  [FIRST_QUERY, 126572, 126572, '126 572 types'],
  [{ ...FIRST_QUERY, text: ' ' }, 5, 5, '5 types'],
  [{ ...FIRST_QUERY, text: 'task' }, 1204, 126572, '1 204 of 126 572'],
  [{ ...FIRST_QUERY, kinds: 16 }, 0, 12, '0 of 12'],
  [orderedBy(FIRST_QUERY, 'holes'), 3, 12, '3 of 12'],
])('%o that finds %d of %d says %s', (query, found, total, text) => {
  expect(plain(foundText(query, found, total))).toBe(text);
});

it('takes the order that was kept, and the first one for what is none', () => {
  expect(keptOrder({ columnId: 'size', direction: 'ascending' })).toEqual({
    order: 'size',
    descending: false,
  });
  const first = { order: 'structs', descending: false };
  expect(keptOrder(null)).toEqual(first);
  expect(keptOrder({ columnId: 'toString', direction: 'descending' })).toEqual(first);
});
