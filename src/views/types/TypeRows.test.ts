import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { tableOf } from '#testing/type-table.ts';
import { type FileMatches, rowAt, rowOf } from './TypeRows.tsx';

const types = tableOf(btfBlob({ types: [] }).bytes);
const found: readonly FileMatches[] = [
  { id: 1, name: 'a', types, ids: Uint32Array.of(7, 3) },
  { id: 5, name: 'b', types, ids: Uint32Array.of(3) },
];

it('puts the types of each file below its heading', () => {
  const rows = Array.from({ length: 6 }, (_, index) => {
    const row = rowAt(found, index);
    return row && `${row.file.name} ${row.type}`;
  });
  expect(rows).toEqual(['a null', 'a 7', 'a 3', 'b null', 'b 3', null]);
  expect(rowAt([], 0)).toBeNull();
});

it('finds the row of a type in its own file', () => {
  expect(rowOf(found, 1, typeId(3))).toBe(2);
  expect(rowOf(found, 5, typeId(3))).toBe(4);
  expect(rowOf(found, 5, typeId(7))).toBeNull();
  expect(rowOf(found, 1, null)).toBeNull();
});
