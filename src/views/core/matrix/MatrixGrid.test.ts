import { describe, expect, it } from 'vitest';
import type { MatrixGroup } from '#analysis/core/matrix/groups.ts';
import { cellAfterKey, columnWindow, lineOfRow, matrixLines } from './MatrixGrid.tsx';

describe('columnWindow', () => {
  it.each([
    ['at the start', 30, 0, 600, 0, 8],
    ['in the middle', 30, 1200, 600, 7, 18],
    ['at the end', 30, 3000, 600, 22, 30],
    ['with room for all', 4, 0, 600, 0, 4],
    ['without room', 30, 0, -40, 0, 3],
    ['without columns', 0, 0, 600, 0, 0],
  ])('%s', (_, count, scrollLeft, room, first, end) => {
    expect(columnWindow({ count, width: 120, scrollLeft, room })).toEqual({ first, end });
  });
});

const group = (key: string, ...rows: number[]): MatrixGroup => ({
  key,
  label: key,
  section: '',
  rows,
});

const GROUPS = [group('a', 0, 2), group('b', 1), group('c', 3, 4)];

function shown(passing: readonly number[], folded: readonly string[] = []) {
  return matrixLines(GROUPS, Uint8Array.from(passing), (key) => folded.includes(key));
}

const words = (lines: ReturnType<typeof shown>) =>
  lines.map((line) => (line.kind === 'group' ? line.group.key : line.row));

describe('matrixLines', () => {
  it('has each group with its records under it', () => {
    expect(words(shown([1, 1, 1, 1, 1]))).toEqual(['a', 0, 2, 'b', 1, 'c', 3, 4]);
  });

  it('leaves out filtered rows, and empty groups', () => {
    const lines = shown([0, 0, 1, 1, 1]);
    expect(words(lines)).toEqual(['a', 2, 'c', 3, 4]);
    expect(lines[0]).toMatchObject({ group: { rows: [2] } });
  });

  it('has of a folded group its own line', () => {
    expect(words(shown([1, 1, 1, 1, 1], ['a', 'c']))).toEqual(['a', 'b', 1, 'c']);
  });

  it('finds a record by its line, or by that of its folded group', () => {
    const lines = shown([1, 1, 0, 1, 1], ['c']);
    expect([0, 1, 2, 4].map((row) => lineOfRow(lines, row))).toEqual([1, 3, null, 4]);
  });
});

describe('cellAfterKey', () => {
  const size = { lines: 20, columns: 4, pageLines: 5 };

  it.each([
    ['ArrowDown', { line: 1, column: 2 }, { line: 2, column: 2 }],
    ['ArrowRight', { line: 1, column: 3 }, { line: 1, column: 3 }],
    ['ArrowLeft', { line: 1, column: 2 }, { line: 1, column: 1 }],
    ['PageDown', { line: 18, column: 0 }, { line: 19, column: 0 }],
    ['Home', { line: 18, column: 3 }, { line: 0, column: 3 }],
    ['ArrowDown', null, { line: 0, column: 0 }],
    ['a', { line: 1, column: 1 }, null],
  ])('%s from %j', (key, from, to) => {
    expect(cellAfterKey(key, from, size)).toEqual(to);
  });

  it('goes nowhere in a table without rows', () => {
    for (const key of ['ArrowDown', 'ArrowRight']) {
      expect(cellAfterKey(key, null, { ...size, lines: 0 })).toBeNull();
    }
  });
});
