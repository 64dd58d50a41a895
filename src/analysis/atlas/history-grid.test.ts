import { describe, expect, it } from 'vitest';
import type { NumberedForm } from './history.ts';
import { historyCells, historyColumns, historyRows, holeBits } from './history-grid.ts';

type Members = Readonly<Record<string, readonly [bitOffset: number, bits: number, type?: string]>>;

function form(size: number, members: Members, kernels: readonly number[] = [0]): NumberedForm {
  const items = Object.entries(members).map(([name, [bitOffset, bits, type = 'int']]) => ({
    name,
    text: `${type}, ${bits / 8} bytes`,
    bitOffset,
    bits,
  }));
  return { title: '', size, items, kernels, modules: {} };
}

const kernel = (name: string, arch = 'amd64', flavour = '') => ({
  name,
  version: name,
  arch,
  flavour,
});

const BEFORE = { a: [0, 32], old: [32, 32], b: [64, 32] } as const;
const AFTER = { a: [0, 64, 'long'], b: [64, 32], fresh: [96, 32] } as const;

describe('historyRows', () => {
  it('has the items of the last form in order, and older items after their predecessors', () => {
    expect(historyRows([form(12, BEFORE), form(16, AFTER)])).toEqual(['a', 'old', 'b', 'fresh']);
  });

  it('keeps the order of removed items', () => {
    const first = form(16, { x: [0, 32], y: [32, 32], z: [64, 32], a: [96, 32] });
    expect(historyRows([first, form(4, { a: [0, 32] })])).toEqual(['x', 'y', 'z', 'a']);
    expect(historyRows([form(4, { a: [0, 32] }), form(4, { b: [0, 32] })])).toEqual(['a', 'b']);
  });

  it('keeps names unchanged, including the empty name and names of object properties', () => {
    const odd = form(
      8,
      Object.fromEntries([
        ['', [0, 32]],
        ['constructor', [32, 32]],
      ]),
    );
    expect(historyRows([odd])).toEqual(['', 'constructor']);
    expect(historyRows([])).toEqual([]);
  });
});

describe('historyColumns', () => {
  const kernels = [
    kernel('1', 'arm64'),
    kernel('2'),
    kernel('3'),
    kernel('4', 'arm64'),
    kernel('5'),
  ];
  const forms = [form(12, BEFORE, [0, 1, 2]), form(16, AFTER, [3])];

  it('folds adjacent kernels with the same form, by version', () => {
    const columns = historyColumns(kernels, forms, { order: 'version', isFolded: true });
    expect(columns.map((column) => [column.kernels, column.form, column.isFirst])).toEqual([
      [[0, 1, 2], 0, true],
      [[3], 1, false],
      [[4], null, false],
    ]);
  });

  it('keeps architectures and flavours apart', () => {
    const columns = historyColumns(kernels, forms, { order: 'arch', isFolded: true });
    expect(columns.map((column) => [column.kernels, column.form, column.isFirst])).toEqual([
      [[1, 2], 0, true],
      [[4], null, false],
      [[0], 0, true],
      [[3], 1, false],
    ]);
  });

  it('has a column per kernel without folding', () => {
    const columns = historyColumns(kernels, forms, { order: 'version', isFolded: false });
    expect(columns.map((column) => column.kernels)).toEqual([[0], [1], [2], [3], [4]]);
  });
});

describe('historyCells', () => {
  it('has the change of each item', () => {
    const forms = [form(12, BEFORE, [0]), form(16, AFTER, [1])];
    const moved = form(16, { ...AFTER, b: [128, 32] }, [2]);
    const columns = historyColumns(
      [0, 1, 2, 3].map((n) => kernel(`${n}`)),
      [...forms, moved],
      {
        order: 'version',
        isFolded: true,
      },
    );
    const cellAt = historyCells([...forms, moved], columns);
    const states = (name: string) => columns.map((_, at) => cellAt(name, at).state);
    expect(states('a')).toEqual(['same', 'changed', 'same', 'removed']);
    expect(states('old')).toEqual(['same', 'removed', 'absent', 'absent']);
    expect(states('b')).toEqual(['same', 'same', 'moved', 'removed']);
    expect(states('fresh')).toEqual(['absent', 'added', 'same', 'removed']);
    expect(cellAt('b', 2).before?.bitOffset).toBe(64);
  });
});

describe('holeBits', () => {
  it.each([
    ['none', 8, { a: [0, 32], b: [32, 32] }, 0],
    ['one, and padding', 16, { a: [0, 8], b: [32, 32] }, 24 + 64],
    ['members of a union', 8, { a: [0, 64], b: [0, 32] }, 0],
    ['bit-fields', 4, { a: [0, 3], b: [3, 1] }, 28],
    ['past the end', 4, { a: [0, 64] }, 0],
  ] as const)('%s', (_, size, members, bits) => {
    expect(holeBits(form(size, members))).toBe(bits);
  });

  it('is null for items without offsets', () => {
    const items = [{ name: 'A', text: '= 1', bitOffset: null, bits: 0 }];
    expect(holeBits({ title: '', size: 4, items, kernels: [], modules: {} })).toBeNull();
    expect(holeBits({ title: '', size: null, items: [], kernels: [], modules: {} })).toBeNull();
  });
});
