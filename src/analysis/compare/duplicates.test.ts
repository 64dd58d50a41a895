import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { fwd, int, ptr, struct, type TypeRecord } from '#testing/btf-types.ts';
import { anyTypes, tableFrom } from '#testing/compared-types.ts';
import { type DuplicateGroup, duplicateTypes } from './duplicates.ts';

function groupsOf(t: TypeTable): readonly DuplicateGroup[] {
  const work = duplicateTypes(t);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

function told(types: readonly TypeRecord[]): string[] {
  const t = tableFrom(types);
  return groupsOf(t).flatMap(({ first, others }) =>
    others.map(({ id, path, why }) => `${nameOf(t, first)} [${id}] ${path.join('>')}: ${why}`),
  );
}

const holding = (name: string, member: string, type: number, size = 8) =>
  struct(name, size, [{ name: member, type, bitOffset: 0 }]);

describe('duplicateTypes', () => {
  it('lists no type that has its name to itself', () => {
    expect(told([int('int', 4), holding('s', 'x', 1), fwd('t')])).toEqual([]);
  });

  it('reports the first difference of two copies', () => {
    expect(
      told([int('int', 4), holding('s', 'x', 1), holding('s', 'y', 1), holding('s', 'x', 1, 16)]),
    ).toEqual(['s [3] : y in the place of x', 's [4] : size 8 → 16']);
  });

  it('finds a difference behind pointers, and the path to it', () => {
    expect(
      told([
        holding('s', 'p', 2),
        ptr(3),
        holding('inner', 'x', 7),
        holding('s', 'p', 5),
        ptr(6),
        holding('inner', 'x', 7, 16),
        int('int', 4),
      ]),
    ).toEqual(['s [4] p: inner: size 8 → 16', 'inner [6] : size 8 → 16']);
  });

  it('distinguishes a declaration from a definition', () => {
    expect(
      told([
        holding('s', 'p', 2),
        ptr(3),
        fwd('t'),
        holding('s', 'p', 5),
        ptr(6),
        holding('t', 'x', 2),
      ]),
    ).toEqual(['s [4] p: struct t is only declared on one side']);
  });

  it('reports copies without a difference, in circles too', () => {
    const types = [holding('s', 'p', 2), ptr(1), holding('s', 'p', 4), ptr(3)];
    expect(told(types)).toEqual(['s [3] : identical copies']);
  });

  it('is total on any types, and names each copy once', () => {
    fc.assert(
      fc.property(anyTypes(14), (types) => {
        const t = tableFrom(types);
        const ids = groupsOf(t).flatMap(({ first, others }) => [
          first,
          ...others.map(({ id }) => id),
        ]);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toBeGreaterThanOrEqual(typeId(1));
      }),
    );
  });
});
