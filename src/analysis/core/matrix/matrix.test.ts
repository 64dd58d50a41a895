import { describe, expect, it } from 'vitest';
import { coreState } from '#analysis/core/reason.ts';
import {
  BYTE_OFF,
  ENUM,
  ENUMVAL_VALUE,
  FIELD_EXISTS,
  type MatrixCase,
  matrixObject,
  matrixOf,
  TYPE_EXISTS,
} from '#testing/matrix-cases.ts';
import { type MatrixFilter, passingRows } from './filter.ts';
import { fieldLabel, groupCounts, groupRows, loadCount, loadText } from './groups.ts';
import { type CoreMatrix, coreMatrix, stateAt } from './matrix.ts';

const second = { name: 'second', insnIndex: 0 };

const CASES: readonly MatrixCase[] = [
  { kind: BYTE_OFF, accessStr: '0:0', value: 0n },
  { kind: FIELD_EXISTS, accessStr: '0:1', value: 1n },
  { kind: BYTE_OFF, accessStr: '0:1', value: 4n },
  { kind: ENUMVAL_VALUE, accessStr: '0', root: ENUM, value: 1n, func: second },
  // The instruction lacks the local value, so libbpf rejects it.
  { kind: TYPE_EXISTS, accessStr: '0', value: 7n, func: second, insnOff: 80 },
];

const statesOf = (matrix: CoreMatrix) =>
  matrix.records.map((_, row) => matrix.columns.map((column) => stateAt(column, row)));

const rowsOf = (passing: Uint8Array) =>
  Array.from(passing.keys()).filter((row) => passing[row] === 1);

describe('the matrix', () => {
  const matrix = matrixOf(CASES);

  it('has the state of each record on each target', () => {
    expect(statesOf(matrix)).toEqual([
      ['same', 'changed', 'poisoned'],
      ['same', 'absent', 'absent'],
      ['same', 'poisoned', 'poisoned'],
      ['same', 'same', 'poisoned'],
      ['fails', 'fails', 'fails'],
    ]);
    for (const column of matrix.columns) {
      const states = column.results?.map((result) => coreState(result));
      expect(matrix.records.map((_, row) => stateAt(column, row))).toEqual(states);
    }
    expect(matrix.columns.map(({ counts }) => counts)).toEqual([
      [4, 0, 0, 0, 1],
      [1, 1, 1, 1, 1],
      [0, 0, 1, 3, 1],
    ]);
  });

  it('has no cells of a target without results, and keeps the others', () => {
    const [first] = matrix.columns;
    const local = matrixObject(CASES);
    const again = coreMatrix(local, [
      { name: 'waits', results: null },
      { name: 'again', results: first?.results ?? null },
    ]);
    expect(again.columns.map((column) => stateAt(column, 0))).toEqual([null, 'same']);
    expect(again.columns[1]?.states).toBe(first?.states);
  });
});

describe('groups', () => {
  const matrix = matrixOf(CASES);

  it('are programs, root types or fields, in the order of the file', () => {
    const by = (grouping: 'program' | 'type' | 'field') =>
      groupRows(matrix, grouping).map(({ label, rows }) => [label, rows]);
    expect(by('program')).toEqual([
      ['prog', [0, 1, 2]],
      ['second', [3]],
      ['second', [4]],
    ]);
    expect(by('type')).toEqual([
      ['struct s', [0, 1, 2, 4]],
      ['enum e', [3]],
    ]);
    expect(by('field')).toEqual([
      ['struct s.a', [0]],
      ['struct s.b', [1, 2]],
      ['enum e::ONE', [3]],
      ['struct s', [4]],
    ]);
  });

  it('hold every record once', () => {
    for (const grouping of ['program', 'type', 'field'] as const) {
      const rows = groupRows(matrix, grouping).flatMap((group) => group.rows);
      expect(rows.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it('count their outcomes, and where they load', () => {
    const [less] = matrix.columns.slice(1);
    if (less === undefined) throw new Error('there are three targets');
    expect(groupCounts(less, [0, 1, 2])).toEqual([0, 1, 1, 1, 0]);
    expect(loadCount(matrix, [0, 1, 2])).toEqual({ loads: 3, poisoned: 2, answered: 3 });
    expect(loadText(loadCount(matrix, [0, 1, 2]))).toBe('loads on 3 of 3, poisoned on 2');
    expect(loadText(loadCount(matrix, [3, 4]))).toBe('loads on 0 of 3');
    const waiting = coreMatrix(matrixObject(CASES), [{ name: 'waits', results: null }]);
    expect(loadText(loadCount(waiting, [0]))).toBe('');
  });
});

describe('passingRows', () => {
  const matrix = matrixOf(CASES);
  const all: MatrixFilter = { show: 'all', states: new Set(), text: '' };

  it.each<[Partial<MatrixFilter>, number[]]>([
    [{}, [0, 1, 2, 3, 4]],
    [{ show: 'changed' }, [0, 1, 2, 3, 4]],
    [{ show: 'unlike' }, [0, 1, 2, 3]],
    [{ states: new Set(['absent', 'changed']) }, [0, 1]],
    [{ text: 'struct S.B' }, [1, 2]],
    [{ text: 'second' }, [3, 4]],
    [{ text: '.b byte_off' }, [2]],
    [{ text: 'nowhere' }, []],
  ])('%j', (filter, rows) => {
    expect(rowsOf(passingRows(matrix, { ...all, ...filter }))).toEqual(rows);
  });

  it('takes only what its targets say', () => {
    const onItself = { ...matrix, columns: matrix.columns.slice(0, 1) };
    expect(rowsOf(passingRows(onItself, { ...all, show: 'changed' }))).toEqual([4]);
    expect(rowsOf(passingRows(onItself, { ...all, show: 'unlike' }))).toEqual([]);
    expect(rowsOf(passingRows({ ...matrix, columns: [] }, { ...all, show: 'unlike' }))).toEqual([]);
  });
});

describe('fieldLabel', () => {
  it.each([
    [BYTE_OFF, '0:2:0', 'struct s.in.x'],
    [BYTE_OFF, '1:0', 'struct s[1].a'],
    [BYTE_OFF, '0', 'struct s'],
    [BYTE_OFF, '0:9', 'struct s (0:9)'],
    [TYPE_EXISTS, '0', 'struct s'],
  ])('of kind %i and %s is %s', (kind, accessStr, label) => {
    const { types, records } = matrixObject([{ kind, accessStr }]);
    expect(records.map((record) => fieldLabel(types, record))).toEqual([label]);
  });
});
