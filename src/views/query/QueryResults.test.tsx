import { expect, it } from 'vitest';
import { HOSTILE_NAMES } from '#testing/hostile-names.ts';
import { mount } from '#testing/mount.tsx';
import { barColumns, bars, type Rows, resultColumns } from './QueryResults.tsx';

const ROWS: Rows = {
  kind: 'rows',
  isCut: false,
  unlimited: null,
  notes: [],
  count: 2,
  columns: [
    { name: 'file', values: ['a.btf', 'a.btf'], goals: null },
    { name: 'id', values: [4, 7], goals: null },
    {
      name: 'name',
      values: ['first', null],
      goals: { words: Uint32Array.of(0, 1, 4, 0, 0, 0, 0, 0, 0, 0), names: [] },
    },
    { name: 'size', values: [8, null], goals: null },
    { name: 'shift', values: [-1, 2], goals: null },
  ],
};

it('draws a cell that names something as a button, and no value as null', async () => {
  const gone: unknown[] = [];
  const [, , name, size] = resultColumns(ROWS, (goal) => gone.push(goal));
  const host = await mount(
    <div>
      <p>{name?.cell(0)}</p>
      <p>{name?.cell(1)}</p>
      <p>{size?.cell(1)}</p>
    </div>,
  );
  const buttons = host.querySelectorAll('button');
  expect(buttons).toHaveLength(1);
  buttons[0]?.click();
  expect(gone).toEqual([{ file: 0, selection: { kind: 'type', type: 4, memberPath: [] } }]);
  expect([...host.querySelectorAll('p')].slice(1).map((p) => p.textContent)).toEqual([
    'null',
    'null',
  ]);
});

it('draws bars of numbers from 0 on, ids last, each with what tells its row', () => {
  expect(barColumns(ROWS)).toEqual([3, 1]);
  expect(bars(ROWS, 3, 10)).toEqual([
    { id: '0', label: 'first', value: 8, valueText: '8' },
    { id: '1', label: 'Row 2', value: 0, valueText: 'null' },
  ]);
  expect(bars(ROWS, 3, 1)).toHaveLength(1);
});

it('draws hostile names as text, in cells, heads and bars', async () => {
  for (const { bytes } of HOSTILE_NAMES) {
    const text = new TextDecoder().decode(bytes);
    const rows: Rows = {
      kind: 'rows',
      isCut: false,
      unlimited: null,
      notes: [],
      count: 1,
      columns: [
        { name: text, values: [text], goals: null },
        { name: 'n', values: [1], goals: null },
      ],
    };
    const [column] = resultColumns(rows, () => undefined);
    const host = await mount(<p>{column?.cell(0)}</p>);
    expect(host.querySelectorAll('p > :not(span, bdi)')).toHaveLength(0);
    expect(column?.header).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(bars(rows, 1, 1)[0]?.label).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  }
});
