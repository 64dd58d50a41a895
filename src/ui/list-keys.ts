import { type MouseEvent, type RefObject, type SyntheticEvent, useEffect } from 'react';

/** Returns the row that a key moves to in a list of `count` rows, or null. Page keys move by `pageRows`. */
export function rowAfterKey(
  key: string,
  from: number | null,
  count: number,
  pageRows: number,
): number | null {
  const last = count - 1;
  if (last < 0) return null;
  const step = (delta: number) =>
    from === null ? (delta > 0 ? 0 : last) : Math.max(0, Math.min(last, from + delta));
  switch (key) {
    case 'ArrowDown':
      return step(1);
    case 'ArrowUp':
      return step(-1);
    case 'PageDown':
      return step(pageRows);
    case 'PageUp':
      return step(-pageRows);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Returns the `data-row` of an event's row; null outside of rows. */
export function rowOfEvent(event: SyntheticEvent): number | null {
  if (!(event.target instanceof Element)) return null;
  const row = event.target.closest('[data-row]')?.getAttribute('data-row');
  return row === undefined || row === null ? null : Number(row);
}

/** Focuses the widget instead of a row. Buttons, links and inputs take the focus. */
export function keepFocus(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('button, a, input') !== null) return;
  if (event.target === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

export type RowActions = {
  readonly onSelect: (index: number) => void;
  /** Called on Enter and double click. */
  readonly onActivate?: (index: number) => void;
  /** Called after a click, when the row is selected. */
  readonly onRowClick?: (index: number) => void;
};

/** Returns the pointer handlers of a widget whose rows take no focus. */
export function rowHandlers({ onSelect, onActivate, onRowClick }: RowActions) {
  return {
    onMouseDown: keepFocus,
    onClick: (event: MouseEvent) => {
      const index = rowOfEvent(event);
      if (index === null) return;
      onSelect(index);
      onRowClick?.(index);
    },
    onDoubleClick: (event: MouseEvent) => {
      const index = rowOfEvent(event);
      if (index !== null) onActivate?.(index);
    },
  };
}

/** Scrolls the page to the selected row, or to the whole table with `isWholeTable`. `index` null: no scroll. */
export function useRowInSight(
  frame: RefObject<HTMLElement | null>,
  index: number | null,
  isWholeTable = false,
): void {
  useEffect(() => {
    if (index === null) return;
    const row = frame.current?.querySelector('tr[aria-selected="true"]');
    const shown = isWholeTable ? frame.current : (row ?? frame.current);
    shown?.scrollIntoView({ block: 'nearest' });
  }, [frame, index, isWholeTable]);
}
