// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { find, fire, mount, press, scrollTo, unmountAll } from '#testing/mount.tsx';
import { VirtualList, type VirtualListProps } from './VirtualList.tsx';

afterEach(unmountAll);

const renderRow = vi.fn((index: number) => `row ${index}`);

function Example(props: Partial<VirtualListProps>) {
  const [selected, setSelected] = useState<number | null>(null);
  return (
    <VirtualList
      label="Types"
      count={130_000}
      rowHeight={22}
      selectedIndex={selected}
      onSelect={setSelected}
      renderRow={renderRow}
      {...props}
    />
  );
}

/** Returns the text of the active row. */
function activeRow(list: HTMLElement): string | null {
  const id = list.getAttribute('aria-activedescendant');
  return id === null ? null : (document.getElementById(id)?.textContent ?? 'not in the page');
}

it('draws the visible rows and has the total in ARIA', async () => {
  const list = find(await mount(<Example />), '[role=listbox]');
  const options = list.querySelectorAll('[role=option]');
  expect(options.length).toBeGreaterThanOrEqual(20);
  expect(options.length).toBeLessThan(60);
  expect(list.getAttribute('aria-label')).toBe('Types');
  expect(options[4]?.getAttribute('aria-setsize')).toBe('130000');
  expect(options[4]?.getAttribute('aria-posinset')).toBe('5');
});

it.each([
  [['ArrowDown'], 'row 0'],
  [['ArrowDown', 'ArrowDown', 'ArrowUp'], 'row 0'],
  [['Home', 'PageDown'], 'row 20'],
  [['Home', 'PageDown', 'PageUp'], 'row 0'],
  [['End'], 'row 129999'],
])('keys %j go to %s, which is in the page', async (keys, text) => {
  const list = find(await mount(<Example />), '[role=listbox]');
  for (const key of keys) await press(list, key);
  expect(activeRow(list)).toBe(text);
  expect(find(list, '[aria-selected=true]').textContent).toBe(text);
});

it('activates with Enter and leaves other keys alone', async () => {
  const onActivate = vi.fn();
  const list = find(await mount(<Example onActivate={onActivate} />), '[role=listbox]');
  await press(list, 'Enter');
  expect(onActivate).not.toHaveBeenCalled();
  await press(list, 'ArrowDown');
  await press(list, 'Enter');
  expect(onActivate).toHaveBeenCalledExactlyOnceWith(0);
  expect((await press(list, 'k')).defaultPrevented).toBe(false);
  expect((await press(list, 'ArrowDown', { ctrlKey: true })).defaultPrevented).toBe(false);
});

it('selects the row that is clicked and activates it on a double click', async () => {
  const onActivate = vi.fn();
  const list = find(await mount(<Example onActivate={onActivate} />), '[role=listbox]');
  const row = find(list, '[data-row="7"]');
  await fire(row, new MouseEvent('click', { bubbles: true }));
  expect(activeRow(list)).toBe('row 7');
  await fire(row, new MouseEvent('dblclick', { bubbles: true }));
  expect(onActivate).toHaveBeenCalledExactlyOnceWith(7);
});

it('keeps the focus on the list when a row is pressed', async () => {
  const list = find(await mount(<Example />), '[role=listbox]');
  const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  await fire(find(list, '[data-row="3"]'), press);
  expect(press.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(list);
});

it('draws only the rows that a scroll brings into sight', async () => {
  const list = find(await mount(<Example />), '[role=listbox]');
  renderRow.mockClear();
  await scrollTo(list, 44);
  expect(renderRow.mock.calls.length).toBeGreaterThan(0);
  expect(renderRow.mock.calls.length).toBeLessThan(8);
});

it('scrolls to a given row', async () => {
  const list = find(await mount(<Example scrollToIndex={90_000} />), '[role=listbox]');
  expect(list.querySelector('[data-row="90000"]')).not.toBeNull();
  expect(list.querySelector('[data-row="0"]')).toBeNull();
});

function Lists() {
  const [shown, setShown] = useState({ list: 'a', count: 100_000 });
  return (
    <>
      <button type="button" onClick={() => setShown({ list: 'a', count: 90_000 })}>
        shorter
      </button>
      <button type="button" onClick={() => setShown({ list: 'b', count: 90_000 })}>
        another
      </button>
      <Example list={shown.list} count={shown.count} />
    </>
  );
}

it('is read from its top when it is another list, and stays where it is when it is not', async () => {
  const host = await mount(<Lists />);
  const list = find(host, '[role=listbox]');
  const [shorter, another] = host.querySelectorAll('button');
  if (shorter === undefined || another === undefined) throw new Error('no buttons');
  await scrollTo(list, 22 * 5000);
  await fire(shorter, new MouseEvent('click', { bubbles: true }));
  expect(list.scrollTop).toBe(22 * 5000);
  expect(list.querySelector('[data-row="5000"]')).not.toBeNull();
  await fire(another, new MouseEvent('click', { bubbles: true }));
  expect(list.scrollTop).toBe(0);
  expect(list.querySelector('[data-row="0"]')).not.toBeNull();
  expect(list.querySelector('[data-row="5000"]')).toBeNull();
});

it('names rows as given', async () => {
  const host = await mount(<Example getRowLabel={(index) => `struct ${index}`} />);
  expect(find(host, '[data-row="2"]').getAttribute('aria-label')).toBe('struct 2');
});

it('gives the reason for no rows, and has no listbox then', async () => {
  const host = await mount(<Example count={0} emptyText="No type matches" />);
  expect(host.textContent).toBe('No type matches');
  expect(host.querySelector('[role=listbox]')).toBeNull();
});
