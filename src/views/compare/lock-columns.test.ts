import { describe, expect, it } from 'vitest';
import { compareTypes } from '#analysis/compare/compare-types.ts';
import { typeId } from '#model/ids.ts';
import { int, type Member, struct } from '#testing/btf-types.ts';
import { graphFrom } from '#testing/compared-types.ts';
import { markOf, shownLines, stopAfter, stopsOf } from './lock-columns.tsx';

const member = (name: string, type: number, bytes: number): Member => ({
  name,
  type,
  bitOffset: 8 * bytes,
});
const side = (members: readonly Member[], inner: number) => [
  struct('s', 32, members),
  int('u32', 4),
  int('u64', 8),
  struct('inner', inner, []),
];
const { lines } = compareTypes(
  graphFrom(
    side([member('a', 2, 0), member('gone', 2, 4), member('b', 2, 8), member('i', 4, 16)], 4),
    side([member('n', 3, 0), member('a', 2, 8), member('b', 3, 16), member('i', 4, 16)], 8),
  ),
  typeId(1),
  typeId(1),
);

describe('lines in lock-step', () => {
  it('have one mark each, their strongest', () => {
    expect(lines.map(markOf)).toEqual(['added', 'moved', 'removed', 'changed', 'inside']);
  });

  it('are shown all, or those that differ', () => {
    expect(shownLines(lines, false)).toEqual([0, 1, 2, 3, 4]);
    const { lines: same } = compareTypes(
      graphFrom(side([member('a', 2, 0)], 4), side([member('a', 2, 0), member('b', 2, 4)], 4)),
      typeId(1),
      typeId(1),
    );
    expect(shownLines(same, true)).toEqual([1]);
  });

  it('are walked difference by difference: a move that follows from another line is skipped', () => {
    const stops = stopsOf(lines, shownLines(lines, false));
    expect(stops).toEqual([0, 2, 3, 4]);
    expect(stopAfter(stops, null, 1)).toBe(0);
    expect(stopAfter(stops, 0, 1)).toBe(2);
    expect(stopAfter(stops, 1, -1)).toBe(0);
    expect(stopAfter(stops, 4, 1)).toBe(0);
    expect(stopAfter(stops, 0, -1)).toBe(4);
    expect(stopAfter([], 3, 1)).toBeNull();
  });
});
