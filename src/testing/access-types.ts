/** Types for tests of access strings: a struct whose members have each kind of type. */
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from './btf-blob.ts';
import { array, int, struct, type TypeRecord, union } from './btf-types.ts';
import { openModel } from './open-model.ts';

/** Returns a table of the given types; their ids begin at 1. */
export async function typesOf(...types: readonly TypeRecord[]): Promise<TypeTable> {
  const { types: t } = await openModel('a.btf', btfBlob({ types }).bytes);
  if (t === null) throw new Error('a blob has types');
  return t;
}

/** Returns the types [1] int, [2] int[4], [3] anonymous union, [4] struct s with a hole. */
export function accessTypes(): Promise<TypeTable> {
  return typesOf(
    int('int', 4),
    array(1, 1, 4),
    union('', 4, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 0 },
    ]),
    struct('s', 32, [
      { name: 'x', type: 1, bitOffset: 0 },
      { name: '', type: 3, bitOffset: 64 },
      { name: 'm', type: 2, bitOffset: 96 },
    ]),
  );
}
