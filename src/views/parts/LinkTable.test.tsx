// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { find, fire, mount, press, unmountAll } from '#testing/mount.tsx';
import { LinkTable } from './LinkTable.tsx';

afterEach(unmountAll);

const columns = [
  { id: 'a', header: 'A', width: 80, sortable: true, cell: (row: number) => `a${row}` },
];

async function draw() {
  const onSelect = vi.fn();
  const onActivate = vi.fn();
  const host = await mount(
    <LinkTable
      label="Rows"
      columns={columns}
      count={9}
      selectedIndex={2}
      onSelect={onSelect}
      onActivate={onActivate}
      onSort={() => {}}
    />,
  );
  return { host, grid: find(host, '[role=grid]'), onSelect, onActivate };
}

const click = () => new MouseEvent('click', { bubbles: true });

it('follows a row that is clicked, wherever in the row', async () => {
  const { host, onActivate } = await draw();
  await fire(find(host, '[data-row="4"] td'), click());
  expect(onActivate).toHaveBeenCalledExactlyOnceWith(4);
});

it('follows no link on a click at the header', async () => {
  const { host, onActivate } = await draw();
  await fire(find(host, 'th button'), click());
  expect(onActivate).not.toHaveBeenCalled();
});

it('only moves by the arrow keys, and follows on Enter', async () => {
  const { grid, onSelect, onActivate } = await draw();
  await press(grid, 'ArrowDown');
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(3);
  expect(onActivate).not.toHaveBeenCalled();
  await press(grid, 'Enter');
  expect(onActivate).toHaveBeenCalledExactlyOnceWith(2);
});
