import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { HexGridProps } from './HexGrid.tsx';
import type { GetBytes } from './HexRow.tsx';
import { type ByteRange, hexBytes } from './hex-marks.ts';
import { keepFocus } from './list-keys.ts';

type Options = HexGridProps & {
  readonly showRow: (rowIndex: number, align: 'nearest') => void;
};

/** Returns the active byte of a hex grid, and handlers for keys and mouse that move and select. */
export function useByteSelection(options: Options) {
  const { length, baseOffset, columns, selection, cursor } = options;
  const [kept, setKept] = useState<number | null>(null);
  /** Offset at which the selection began. */
  const anchor = useRef<number | null>(null);
  /** Latest options, since the listeners of a drag stay while the component renders again. */
  const latest = useRef(options);
  const endDrag = useRef<(() => void) | null>(null);
  const active = activeByte(cursor, kept, selection, baseOffset, length);

  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => endDrag.current?.(), []);

  const moveTo = (offset: number, extend: boolean) => {
    let from = offset;
    if (extend) from = holdsAnchor(selection, anchor.current) ? anchor.current : active;
    anchor.current = from;
    select(from, offset);
  };
  const select = (from: number, to: number) => {
    setKept(to);
    options.showRow(Math.floor((to - baseOffset) / columns), 'nearest');
    latest.current.onSelect({ start: Math.min(from, to), end: Math.max(from, to) + 1 }, to);
  };

  const onMouseDown = (event: MouseEvent<HTMLElement>) => {
    keepFocus(event);
    const offset = offsetAt(event);
    if (event.button !== 0 || offset === null) return;
    moveTo(offset, event.shiftKey);
    const from = anchor.current ?? offset;
    const grid = event.currentTarget;
    let head = offset;
    const onMove = (move: globalThis.MouseEvent) => {
      const over = grid.contains(asNode(move.target)) ? offsetAt(move) : null;
      const to = over ?? beyond(move, grid, head);
      if (to === head) return;
      head = to;
      select(from, to);
    };
    // When the pointer is above or below the grid, each of its moves selects one more row.
    const beyond = (move: globalThis.MouseEvent, area: HTMLElement, at: number) => {
      const { top, bottom } = area.getBoundingClientRect();
      const last = baseOffset + length - 1;
      if (move.clientY < top) return Math.max(baseOffset, at - columns);
      if (move.clientY > bottom) return Math.min(last, at + columns);
      return at;
    };
    endDrag.current?.();
    const stop = new AbortController();
    endDrag.current = () => stop.abort();
    window.addEventListener('mousemove', onMove, { signal: stop.signal });
    window.addEventListener('mouseup', () => stop.abort(), { signal: stop.signal });
  };

  const hovered = useRef<number | null>(null);
  /** Called for each move, since one element can contain the characters of many bytes. */
  const onPointerMove = (event: PointerEvent) => {
    const offset = offsetAt(event);
    if (offset === hovered.current) return;
    hovered.current = offset;
    options.onHover?.(offset);
  };
  const onPointerLeave = () => {
    hovered.current = null;
    options.onHover?.(null);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const offset = offsetAt(event);
    if (offset !== null) options.onActivate?.(offset);
  };

  return { active, moveTo, onMouseDown, onDoubleClick, onPointerMove, onPointerLeave };
}

function activeByte(
  cursor: number | null,
  kept: number | null,
  selection: ByteRange | null,
  baseOffset: number,
  length: number,
): number {
  const isKeptSelected =
    kept !== null && (selection === null || (kept >= selection.start && kept < selection.end));
  const wanted = cursor ?? (isKeptSelected ? kept : (selection?.start ?? baseOffset));
  return Math.max(baseOffset, Math.min(wanted, baseOffset + length - 1));
}

function holdsAnchor(selection: ByteRange | null, anchor: number | null): anchor is number {
  if (selection === null || anchor === null) return false;
  return anchor === selection.start || anchor === selection.end - 1;
}

/** Returns the offset of the byte under the pointer; null if no byte is under the pointer. */
function offsetAt(event: {
  readonly target: EventTarget | null;
  readonly clientX: number;
}): number | null {
  if (!(event.target instanceof Element)) return null;
  const holder = event.target.closest('[data-offset]');
  const offset = holder?.getAttribute('data-offset');
  if (holder === null || offset === undefined || offset === null) return null;
  const count = Number(holder.getAttribute('data-count') ?? 1);
  const { left, width } = holder.getBoundingClientRect();
  const part = width > 0 ? Math.floor(((event.clientX - left) / width) * count) : 0;
  return Number(offset) + Math.max(0, Math.min(count - 1, part));
}

function asNode(target: EventTarget | null): Node | null {
  return target instanceof Node ? target : null;
}

/** Maximum number of bytes to copy. Copying more would block the page. */
export const MAX_COPIED_BYTES = 1 << 20;

/** Returns bytes as `85 10 00 00`, or null if they cannot be copied, and a message for the user. */
export function copyText(
  { start, end }: ByteRange,
  getBytes: GetBytes,
): { readonly text: string | null; readonly result: string } {
  const size = end - start;
  if (size > MAX_COPIED_BYTES) {
    return { text: null, result: 'Not copied: more than 1 MiB is selected' };
  }
  const bytes = getBytes(start, end);
  if (bytes === null) return { text: null, result: 'Not copied: the bytes are not loaded yet' };
  return {
    text: hexBytes(bytes),
    result: `Copied ${size} ${size === 1 ? 'byte' : 'bytes'} as hex`,
  };
}
