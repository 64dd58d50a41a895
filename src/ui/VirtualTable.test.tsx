// @vitest-environment happy-dom
import { Activity, act, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { find, fire, mount, press, scrollTo, unmountAll } from '#testing/mount.tsx';
import type { TableColumn } from './table-columns.ts';
import { keepTables, setTable, TABLES_SCHEMA } from './table-settings.ts';
import { MAX_SCROLL_HEIGHT } from './use-row-window.ts';
import { VirtualTable, type VirtualTableProps } from './VirtualTable.tsx';

afterEach(async () => {
  await unmountAll();
  for (const label of ['Symbols', 'Sizes']) setTable(label, { widths: {}, hidden: [], sort: null });
});

const columns: readonly TableColumn[] = [
  {
    id: 'offset',
    header: 'Offset',
    width: 80,
    mono: true,
    sortable: true,
    cell: (row) => `o${row}`,
  },
  { id: 'symbol', header: 'Symbol', width: 200, grow: 1, sortable: true, cell: (row) => `s${row}` },
  { id: 'size', header: 'Size', width: 60, align: 'end', cell: (row) => row },
];

function Example(props: Partial<VirtualTableProps>) {
  const [selected, setSelected] = useState<number | null>(null);
  return (
    <VirtualTable
      label="Symbols"
      columns={columns}
      count={1_000_000}
      selectedIndex={selected}
      onSelect={setSelected}
      {...props}
    />
  );
}

/** Sends the events of a click to an element. */
const click = (element: HTMLElement) =>
  fire(element, new MouseEvent('click', { bubbles: true, cancelable: true }));

function activeCell(grid: HTMLElement): string | null {
  const id = grid.getAttribute('aria-activedescendant');
  return id === null ? null : (document.getElementById(id)?.textContent ?? 'not in the page');
}

it('has the total in ARIA and draws the visible rows', async () => {
  const grid = find(await mount(<Example />), '[role=grid]');
  expect(grid.getAttribute('aria-label')).toBe('Symbols');
  expect(grid.getAttribute('aria-rowcount')).toBe('1000001');
  expect(grid.getAttribute('aria-colcount')).toBe('3');
  const rows = [...grid.querySelectorAll('tbody tr')];
  expect(rows.length).toBeLessThan(50);
  expect(rows[0]?.getAttribute('aria-rowindex')).toBe('2');
  expect(rows[0]?.querySelectorAll('[role=gridcell]')).toHaveLength(3);
});

it.each([
  [['ArrowDown'], 'o0'],
  [['ArrowDown', 'ArrowRight'], 's0'],
  [['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight'], '0'],
  [['ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowLeft'], 'o0'],
  [['End'], 'o999999'],
  [['End', 'Home', 'PageDown'], 'o14'],
])('keys %j go to the cell %s, which is in the page', async (keys, text) => {
  const grid = find(await mount(<Example />), '[role=grid]');
  for (const key of keys) await press(grid, key);
  expect(activeCell(grid)).toBe(text);
});

it('selects rows by click and activates them by Enter and double click', async () => {
  const onActivate = vi.fn();
  const grid = find(await mount(<Example onActivate={onActivate} />), '[role=grid]');
  const cell = find(grid, '[data-row="5"] td');
  await fire(cell, new MouseEvent('click', { bubbles: true }));
  expect(find(grid, '[aria-selected=true]').getAttribute('data-row')).toBe('5');
  await press(grid, 'Enter');
  await fire(cell, new MouseEvent('dblclick', { bubbles: true }));
  expect(onActivate.mock.calls).toEqual([[5], [5]]);
});

it('has the order of its columns in ARIA and requests another', async () => {
  const onSort = vi.fn();
  const sort = { columnId: 'symbol', direction: 'descending' } as const;
  const host = await mount(<Example sort={sort} onSort={onSort} />);
  const headers = [...host.querySelectorAll('th')];
  expect(headers.map((header) => header.textContent)).toEqual(['Offset', 'Symbol', 'Size']);
  expect(headers.map((header) => header.getAttribute('aria-sort'))).toEqual([
    'none',
    'descending',
    null,
  ]);
  await fire(find(host, 'th button'), new MouseEvent('click', { bubbles: true }));
  expect(onSort).toHaveBeenCalledExactlyOnceWith('offset');
});

it('leaves the keys of a header button to the button', async () => {
  const host = await mount(<Example onSort={() => undefined} />);
  expect((await press(find(host, 'th button'), 'Enter')).defaultPrevented).toBe(false);
});

it('reaches the last of more rows than an element can be tall', async () => {
  const host = await mount(<Example count={50_000_000} />);
  const grid = find(host, '[role=grid]');
  expect(find(grid, 'tbody').style.height).toBe(`${MAX_SCROLL_HEIGHT}px`);
  await scrollTo(grid, MAX_SCROLL_HEIGHT);
  expect(grid.querySelector('[data-row="49999999"]')).not.toBeNull();
  const tops = [...grid.querySelectorAll('tbody tr')].map((row) =>
    row instanceof HTMLElement ? Number.parseFloat(row.style.top) : Number.NaN,
  );
  expect(Math.max(...tops)).toBeLessThan(MAX_SCROLL_HEIGHT);
});

it('draws rows where they are when the place has grown and is not measured yet', async () => {
  const grid = find(await mount(<Example count={20} />), '[role=grid]');
  // The grid has grown from 440 (measured) to 500 pixels: it can scroll by 88, not by 148.
  let top = 0;
  Object.defineProperty(grid, 'scrollTop', {
    get: () => top,
    set: (wanted: number) => {
      top = Math.max(0, Math.min(wanted, 88));
    },
  });
  await press(grid, 'End');
  expect(top).toBe(88);
  expect(find(grid, '[data-row="19"]').style.top).toBe(`${19 * 28}px`);
});

it('draws a cell below the others, whose column has no width', async () => {
  const [offset, symbol, size] = columns;
  if (offset === undefined || symbol === undefined || size === undefined) throw new Error();
  const below = [offset, { ...symbol, isBelow: true }, size];
  const host = await mount(<Example label="Sizes" columns={below} count={4} onSort={vi.fn()} />);
  expect(find(host, 'thead tr').style.gridTemplateColumns).toBe(
    'minmax(80px, 98px) minmax(60px, 82px)',
  );
  expect([...host.querySelectorAll('th')].map((head) => head.textContent)).toEqual([
    'Offset',
    'Symbol',
    'Size',
  ]);
  expect(host.querySelectorAll('th button')).toHaveLength(1);
  const grid = find(host, '[role=grid]');
  for (const key of ['ArrowDown', 'ArrowRight']) await press(grid, key);
  expect(activeCell(grid)).toBe('s0');
  await press(grid, 'ArrowRight', { shiftKey: true });
  expect(find(host, 'thead tr').style.gridTemplateColumns).toBe(
    'minmax(80px, 98px) minmax(60px, 82px)',
  );
});

it('keeps its header without rows', async () => {
  const host = await mount(<Example count={0} emptyText="No relocation" />);
  expect(host.querySelectorAll('th')).toHaveLength(3);
  expect(host.textContent).toContain('No relocation');
});

const SIZES = ['1\u202f200', '90', '', '0x10'];
const sizeColumns: readonly TableColumn[] = [
  { id: 'name', header: 'Name', width: 80, cell: (row) => <b>{`n${10 - row}`}</b> },
  { id: 'size', header: 'Size', width: 80, cell: (row) => SIZES[row] },
  { id: 'none', header: 'None', width: 80, cell: () => <input /> },
];

function columnText(host: HTMLElement, index: number): (string | null)[] {
  return [...host.querySelectorAll('tbody tr')].map(
    (row) => row.querySelectorAll('td')[index]?.textContent ?? null,
  );
}

it('sorts by any column that has words, and tells rows by their own numbers', async () => {
  const onSelect = vi.fn();
  const host = await mount(
    <Example label="Sizes" columns={sizeColumns} count={4} selectedIndex={1} onSelect={onSelect} />,
  );
  const [name, size, none] = host.querySelectorAll('th');
  expect(none?.querySelector('button')).toBeNull();
  await click(find(size ?? host, 'button'));
  // Numbers are sorted by value. Empty cells are last, ascending and descending.
  expect(columnText(host, 1)).toEqual(['0x10', '90', '1\u202f200', '']);
  await click(find(host.querySelectorAll('th')[1] ?? host, 'button'));
  expect(columnText(host, 1)).toEqual(['1\u202f200', '90', '0x10', '']);
  expect(host.querySelectorAll('th')[1]?.getAttribute('aria-sort')).toBe('descending');
  await press(find(host, '[role=grid]'), 'ArrowDown');
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(3);
  await click(find(host.querySelectorAll('th')[1] ?? host, 'button'));
  expect(columnText(host, 1)).toEqual(SIZES);
  await click(find(name ?? host, 'button'));
  expect(columnText(host, 0)).toEqual(['n7', 'n8', 'n9', 'n10']);
});

it('does not sort rows whose order is what they say', async () => {
  const host = await mount(<Example label="Sizes" columns={sizeColumns} count={4} isInOrder />);
  expect(host.querySelector('th button')).toBeNull();
});

it('leaves out hidden columns, and keeps widths and hidden columns in the browser', async () => {
  let text = '';
  keepTables({
    read: () => new Map(),
    write: (tables) => {
      text = JSON.stringify(TABLES_SCHEMA.format(tables));
    },
  });
  const host = await mount(<Example label="Sizes" columns={sizeColumns} count={4} />);
  const sort = { columnId: 'name', direction: 'descending' } as const;
  await act(async () => setTable('Sizes', { hidden: ['size'], widths: { name: 120 }, sort }));
  expect([...host.querySelectorAll('th')].map((head) => head.textContent)).toEqual([
    'Name',
    'None',
  ]);
  expect(find(host, 'thead tr').style.gridTemplateColumns).toBe('120px minmax(80px, 106px)');
  const kept = TABLES_SCHEMA.parse(JSON.parse(text));
  expect(kept.get('Sizes')).toEqual({ hidden: ['size'], widths: { name: 120 }, sort });
});

it('resizes the column of the active cell by Shift and an arrow', async () => {
  const host = await mount(<Example label="Sizes" columns={sizeColumns} count={4} />);
  const grid = find(host, '[role=grid]');
  await press(grid, 'ArrowDown');
  await fire(
    grid,
    new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }),
  );
  // Without a layout a column is 0 pixels wide, so the resized column gets the minimum width.
  expect(find(host, 'thead tr').style.gridTemplateColumns).toBe(
    '40px minmax(80px, 82px) minmax(80px, 106px)',
  );
});

it('has a button that copies the active cell', async () => {
  const host = await mount(<Example label="Sizes" columns={sizeColumns} count={4} />);
  await press(find(host, '[role=grid]'), 'ArrowDown');
  const names = () =>
    [...host.querySelectorAll('td button')].map((b) => b.getAttribute('aria-label'));
  expect(names()).toEqual(['Copy Name']);
  await press(find(host, '[role=grid]'), 'ArrowRight');
  expect(names()).not.toContain('Copy Name');
});

it.each([
  undefined,
  '',
  null,
  [1],
  { a: 3 },
  { a: { widths: { x: 'wide', y: 2 }, hidden: [4], sort: { columnId: 1 } } },
  { a: { sort: { columnId: 'x', direction: 'up' } } },
])('takes no settings from %j', (json) => {
  for (const { widths, hidden, sort } of TABLES_SCHEMA.parse(json).values()) {
    expect(widths).toEqual({});
    expect(hidden).toEqual([]);
    expect(sort).toBeNull();
  }
});

function Kept() {
  const [isHidden, setHidden] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setHidden(!isHidden)}>
        Hide or show
      </button>
      <Activity mode={isHidden ? 'hidden' : 'visible'}>
        <Example count={3} />
      </Activity>
    </>
  );
}

it('does not measure its cells again when it is shown again', async () => {
  const sizes = (['clientWidth', 'clientHeight'] as const).map((size) =>
    vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(400),
  );
  const measured = vi.spyOn(document, 'createRange');
  const host = await mount(<Kept />);
  // Three rows and the header.
  expect(measured).toHaveBeenCalledTimes(4 * columns.length);
  await click(find(host, 'button'));
  await click(find(host, 'button'));
  expect(measured).toHaveBeenCalledTimes(4 * columns.length);
  for (const spy of [...sizes, measured]) spy.mockRestore();
});
