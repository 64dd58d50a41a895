import { expect, it } from 'vitest';
import { memberRows } from '#analysis/layout/member-rows.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import type { SortOrder } from '#ui/table-settings.ts';
import { BY_OFFSET, nextOrder, orderedRows } from './MembersTable.tsx';

const types = tableOf(
  btfBlob({
    types: [
      int('int', 4),
      int('long', 8),
      struct('s', 32, [
        { name: 'z', type: 1, bitOffset: 0 },
        { name: 'b', type: 2, bitOffset: 64 },
        { name: 'a', type: 1, bitOffset: 128 },
      ]),
    ],
  }).bytes,
);
const rows = memberRows(types, typeId(3), new Set());
const names = (order: SortOrder, onlyHoles = false) =>
  orderedRows(rows, order, onlyHoles).map((row) => row.name || row.kind);

it('orders by offset, size and name, in both directions', () => {
  expect(names(BY_OFFSET)).toEqual(['z', 'hole', 'b', 'a', 'padding']);
  expect(names({ columnId: 'hex', direction: 'descending' })[0]).toBe('padding');
  expect(names({ columnId: 'size', direction: 'descending' })).toEqual([
    'padding',
    'b',
    'z',
    'hole',
    'a',
  ]);
  expect(names({ columnId: 'name', direction: 'ascending' }).slice(0, 3)).toEqual(['a', 'b', 'z']);
});

it('shows only holes when asked to', () => {
  expect(names(BY_OFFSET, true)).toEqual(['hole', 'padding']);
});

it('turns the order at the same column, and begins with the largest at sizes', () => {
  const bySize = nextOrder(BY_OFFSET, 'size');
  expect(bySize).toEqual({ columnId: 'size', direction: 'descending' });
  expect(nextOrder(bySize, 'size').direction).toBe('ascending');
  expect(nextOrder(bySize, 'name').direction).toBe('ascending');
});
