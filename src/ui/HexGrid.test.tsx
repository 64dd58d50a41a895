// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { find, fire, mount, press, scrollTo, unmountAll } from '#testing/mount.tsx';
import { HexGrid, type HexGridProps } from './HexGrid.tsx';
import type { ByteMark, ByteRange } from './hex-marks.ts';
import { MAX_SCROLL_HEIGHT } from './use-row-window.ts';

afterEach(unmountAll);

const getBytes = vi.fn((start: number, end: number): Uint8Array | null =>
  Uint8Array.from({ length: end - start }, (_, index) => start + index),
);
const marked: ByteMark = { start: 0x4e, end: 0x52, tone: 'reloc-2', label: 'R_BPF_64_32 gfunc' };
const marks = (start: number, end: number) =>
  marked.start < end && marked.end > start ? [marked] : [];
const onSelect = vi.fn();

function Example(props: Partial<HexGridProps>) {
  const [selection, setSelection] = useState<ByteRange | null>(null);
  return (
    <HexGrid
      length={4_000}
      baseOffset={0x40}
      columns={16}
      getBytes={getBytes}
      marks={marks}
      selection={selection}
      cursor={null}
      onSelect={(range, cursor) => {
        onSelect(range, cursor);
        setSelection(range);
      }}
      version={0}
      {...props}
    />
  );
}

function activeCell(grid: HTMLElement): string | null {
  const id = grid.getAttribute('aria-activedescendant');
  return id === null ? null : (document.getElementById(id)?.getAttribute('data-offset') ?? null);
}

const mouse = (type: string, more: MouseEventInit = {}) =>
  new MouseEvent(type, { bubbles: true, cancelable: true, ...more });

it('is a grid of named bytes', async () => {
  const grid = find(await mount(<Example />), '[role=grid]');
  expect(grid.getAttribute('aria-rowcount')).toBe('251');
  expect(grid.getAttribute('aria-colcount')).toBe('17');
  const row = find(grid, 'tbody tr');
  expect(row.getAttribute('aria-rowindex')).toBe('2');
  expect(find(row, 'th').textContent).toBe('0x0040');
  const names = [...row.querySelectorAll('[role=gridcell]')].map((c) =>
    c.getAttribute('aria-label'),
  );
  expect(names).toHaveLength(16);
  expect(names[0]).toBe('0x0040: 40');
  expect(names[14]).toBe('0x004e: 4e, R_BPF_64_32 gfunc');
});

it('draws one piece of a mark per row, in hex and in text, rounded only at its ends', async () => {
  const host = await mount(<Example />);
  const pieces = [
    ...host.querySelectorAll(
      'tr span[data-tone=reloc-2][data-first], tr span[data-tone=reloc-2][data-last]',
    ),
  ];
  const ends = pieces.map((p) => [p.hasAttribute('data-first'), p.hasAttribute('data-last')]);
  expect(ends).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [false, true],
  ]);
});

it.each([
  [['ArrowRight'], { start: 0x41, end: 0x42 }, 0x41],
  [['ArrowDown', 'ArrowDown', 'ArrowUp'], { start: 0x50, end: 0x51 }, 0x50],
  [['End', 'Home'], { start: 0x40, end: 0x41 }, 0x40],
  [['PageDown'], { start: 0x160, end: 0x161 }, 0x160],
])('keys %j select %j', async (keys, range, cursor) => {
  const grid = find(await mount(<Example />), '[role=grid]');
  for (const key of keys) await press(grid, key);
  expect(onSelect).toHaveBeenLastCalledWith(range, cursor);
  expect(activeCell(grid)).toBe(String(cursor));
});

it('extends the selection with Shift, in both directions from its anchor', async () => {
  const grid = find(await mount(<Example />), '[role=grid]');
  await press(grid, 'ArrowDown');
  await press(grid, 'ArrowRight', { shiftKey: true });
  await press(grid, 'ArrowRight', { shiftKey: true });
  expect(onSelect).toHaveBeenLastCalledWith({ start: 0x50, end: 0x53 }, 0x52);
  await press(grid, 'ArrowUp', { shiftKey: true });
  expect(onSelect).toHaveBeenLastCalledWith({ start: 0x42, end: 0x51 }, 0x42);
  expect(grid.querySelectorAll('[role=gridcell][aria-selected=true]')).toHaveLength(15);
});

it('goes to the ends of gigabytes, with little in the page', async () => {
  const length = 3_000_000_000;
  const host = await mount(<Example length={length} baseOffset={0} />);
  const grid = find(host, '[role=grid]');
  expect(find(grid, 'tbody').style.height).toBe(`${MAX_SCROLL_HEIGHT}px`);
  await press(grid, 'End', { ctrlKey: true });
  expect(activeCell(grid)).toBe(String(length - 1));
  expect(grid.querySelectorAll('tbody tr').length).toBeLessThan(50);
  await press(grid, 'ArrowUp');
  expect(activeCell(grid)).toBe(String(length - 17));
  await scrollTo(grid, 0);
  expect(grid.querySelector('[data-offset="0"]')).not.toBeNull();
});

it('selects by dragging and by Shift and click', async () => {
  const grid = find(await mount(<Example />), '[role=grid]');
  const byte = (offset: number) => find(grid, `td[data-offset="${offset}"]`);
  await fire(byte(0x45), mouse('mousedown'));
  await fire(byte(0x48), mouse('mousemove'));
  await fire(byte(0x43), mouse('mousemove'));
  expect(onSelect).toHaveBeenLastCalledWith({ start: 0x43, end: 0x46 }, 0x43);
  await fire(byte(0x43), mouse('mouseup'));
  const calls = onSelect.mock.calls.length;
  await fire(byte(0x60), mouse('mousemove'));
  expect(onSelect.mock.calls.length).toBe(calls);
  await fire(byte(0x52), mouse('mousedown', { shiftKey: true }));
  expect(onSelect).toHaveBeenLastCalledWith({ start: 0x45, end: 0x53 }, 0x52);
});

it('reports the byte under the pointer, once for each', async () => {
  const onHover = vi.fn();
  const grid = find(await mount(<Example onHover={onHover} />), '[role=grid]');
  const over = () => new PointerEvent('pointerover', { bubbles: true });
  await fire(find(grid, 'td[data-offset="66"]'), over());
  await fire(
    find(grid, 'td[data-offset="66"]'),
    new PointerEvent('pointermove', { bubbles: true }),
  );
  await fire(grid, new PointerEvent('pointerout', { bubbles: true }));
  expect(onHover.mock.calls).toEqual([[66], [null]]);
});

it('draws equal characters as one, and distinguishes which is pointed at', async () => {
  const host = await mount(<Example />);
  const row = find(host, 'tbody tr');
  const text = find(row, 'span[data-count]');
  // Runs of characters: byte 0x40, which is active; bytes 0x41 to 0x4d; the two marked bytes.
  const runs = [...text.childNodes].map((run) => run.textContent);
  expect(runs).toEqual(['@', 'ABCDEFGHIJKLM', 'NO']);
  text.getBoundingClientRect = () => new DOMRect(100, 0, 160, 22);
  await fire(text, mouse('mousedown', { clientX: 135 }));
  expect(onSelect).toHaveBeenLastCalledWith({ start: 0x43, end: 0x44 }, 0x43);
});

it('activates with Enter and a double click', async () => {
  const onActivate = vi.fn();
  const grid = find(await mount(<Example onActivate={onActivate} />), '[role=grid]');
  await press(grid, 'ArrowRight');
  await press(grid, 'Enter');
  await fire(find(grid, 'td[data-offset="80"]'), mouse('dblclick'));
  expect(onActivate.mock.calls).toEqual([[0x41], [80]]);
});

it('copies the selection as hex and announces it', async () => {
  const host = await mount(<Example selection={{ start: 0x4a, end: 0x4d }} />);
  const clipboardData = new DataTransfer();
  await fire(
    find(host, '[role=grid]'),
    new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }),
  );
  expect(clipboardData.getData('text/plain')).toBe('4a 4b 4c');
  expect(find(host, '[aria-live=polite]').textContent).toBe('Copied 3 bytes as hex');
});

it('holds a place for bytes that are not loaded, until the version changes', async () => {
  getBytes.mockReturnValueOnce(null);
  const host = await mount(<Example version={1} />);
  expect(find(host, 'td[data-offset="64"]').getAttribute('aria-label')).toBe('0x0040: not loaded');
  const next = await mount(<Example version={2} />);
  expect(find(next, 'td[data-offset="64"]').textContent).toBe('40');
});

it('draws only the rows that a new selection touches', async () => {
  const grid = find(await mount(<Example />), '[role=grid]');
  await press(grid, 'ArrowDown');
  getBytes.mockClear();
  await press(grid, 'ArrowDown');
  expect(getBytes.mock.calls.map(([start]) => start)).toEqual([0x50, 0x60]);
});

it('scrolls to a given byte', async () => {
  const host = await mount(<Example scrollTo={0x40 + 3_900} />);
  expect(host.querySelector(`[data-offset="${0x40 + 3_900}"]`)).not.toBeNull();
});

it('accepts an empty region', async () => {
  const grid = find(await mount(<Example length={0} />), '[role=grid]');
  await press(grid, 'ArrowDown');
  expect(grid.querySelectorAll('tbody tr')).toHaveLength(0);
});

it('draws the badge of a mark once, at its first byte', async () => {
  const pinned: ByteMark = {
    start: 0x4e,
    end: 0x52,
    tone: 'accent',
    label: 'Pin 1: x',
    badge: '1',
  };
  const host = await mount(
    <Example marks={(start, end) => (pinned.start < end && pinned.end > start ? [pinned] : [])} />,
  );
  const badges = [...host.querySelectorAll('[class*=badge]')].filter((b) => b.textContent === '1');
  const rows = new Set(badges.map((badge) => badge.closest('tr')?.getAttribute('aria-rowindex')));
  expect([...rows]).toEqual(['2']);
  expect(host.querySelector('[data-offset="78"]')?.getAttribute('aria-label')).toBe(
    '0x004e: 4e, Pin 1: x',
  );
});
