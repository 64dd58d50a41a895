import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { innerMembers } from './inner-members.ts';

const table = (...types: readonly TypeRecord[]) => tableOf(btfBlob({ types }).bytes);

describe('members that can be named on a struct', () => {
  it('are direct members and members of anonymous members, with paths', () => {
    const types = table(
      int('int', 4),
      struct('s', 12, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: '', type: 3, bitOffset: 32 },
        { name: 'c', type: 1, bitOffset: 64 },
      ]),
      union('', 4, [{ name: 'b', type: 1, bitOffset: 0 }]),
    );
    const found = innerMembers(types, typeId(2), { left: 100 });
    expect(found.map(({ member, path, bitOffset }) => [member.name, path, bitOffset])).toEqual([
      ['a', [0], 0],
      ['b', [1, 0], 32],
      ['c', [2], 64],
    ]);
  });

  // The fuzzer found this case: forty records expand to 2 ** 32 members.
  it('stay within the budget, however often anonymous structs contain each other', () => {
    const levels = 40;
    const types = table(
      ...Array.from({ length: levels }, (_, i) =>
        struct(i === 0 ? 's' : '', 8, [
          { name: '', type: Math.min(levels, i + 2), bitOffset: 0 },
          { name: '', type: Math.min(levels, i + 2), bitOffset: 32 },
        ]),
      ),
    );
    const budget = { left: 5000 };
    expect(innerMembers(types, typeId(1), budget)).toEqual([]);
    expect(budget.left).toBe(0);
  });

  it('are unique if an anonymous struct contains itself', () => {
    const types = table(
      int('int', 4),
      struct('', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: '', type: 2, bitOffset: 32 },
      ]),
    );
    const found = innerMembers(types, typeId(2), { left: 100 });
    expect(found.map(({ member }) => member.name)).toEqual(['a']);
  });
});
