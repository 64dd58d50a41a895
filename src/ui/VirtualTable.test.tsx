// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { find, fire, mount, press, scrollTo, unmountAll } from '#testing/mount.tsx';
import type { TableColumn } from './table-columns.ts';
import { MAX_SCROLL_HEIGHT } from './use-row-window.ts';
import { VirtualTable, type VirtualTableProps } from './VirtualTable.tsx';

afterEach(unmountAll);

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

it('keeps its header without rows', async () => {
  const host = await mount(<Example count={0} emptyText="No relocation" />);
  expect(host.querySelectorAll('th')).toHaveLength(3);
  expect(host.textContent).toContain('No relocation');
});
