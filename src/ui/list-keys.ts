import { type MouseEvent, type RefObject, type SyntheticEvent, useEffect } from 'react';

/**
 * The row that a key leads to in a list of `count` rows, or null when the key
 * is none of the list's or there are no rows. `from` is the active row, null
 * when there is none yet; `pageRows` is what PageUp and PageDown move by.
 */
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

/** The number in `data-row` of the row that the event happened in, or null outside of rows. */
export function rowOfEvent(event: SyntheticEvent): number | null {
  if (!(event.target instanceof Element)) return null;
  const row = event.target.closest('[data-row]')?.getAttribute('data-row');
  return row === undefined || row === null ? null : Number(row);
}

/**
 * For `onMouseDown` of a widget that names its active row by `aria-activedescendant`:
 * the focus goes to the widget, never to the row under the pointer. Buttons in
 * rows and headers take it as ever.
 */
export function keepFocus(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('button, a, input') !== null) return;
  if (event.target === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

export type RowActions = {
  readonly onSelect: (index: number) => void;
  /** Enter or double click. */
  readonly onActivate?: (index: number) => void;
  /** A row was clicked; it has been selected already. */
  readonly onRowClick?: (index: number) => void;
};

/** What the pointer does to the rows of a widget that keeps the focus itself. */
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

/**
 * Scrolls the page so that the selected row of a table is visible: the table scrolls in
 * itself, but may stand half below the edge of a page that scrolls as well. `index` null
 * scrolls nowhere. Shows the whole table where `isWholeTable`, or where the row is not drawn.
 */
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
