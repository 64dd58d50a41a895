import { type MouseEvent, type RefObject, type SyntheticEvent, useEffect } from 'react';

/** Returns the row that a key moves to, or null. PageUp and PageDown move by `pageRows`. */
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

/** Returns the number in the `data-row` of the row of an event; null outside of rows. */
export function rowOfEvent(event: SyntheticEvent): number | null {
  if (!(event.target instanceof Element)) return null;
  const row = event.target.closest('[data-row]')?.getAttribute('data-row');
  return row === undefined || row === null ? null : Number(row);
}

/** Moves the focus to the list, not to a row. Buttons, links and inputs can still get the focus. */
export function keepFocus(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('button, a, input') !== null) return;
  if (event.target === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

export type RowActions = {
  readonly onSelect: (index: number) => void;
  /** Called when the user presses Enter or double-clicks a row. */
  readonly onActivate?: (index: number) => void;
  /** Called after a click on a row. The row is then the selected one. */
  readonly onRowClick?: (index: number) => void;
};

/** Returns the mouse handlers of a list whose rows cannot have the focus. */
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
 * Scrolls the page to the selected row; nowhere if `index` is null. `wholeCount` is the number of
 * rows if the whole table should be in sight, or its row if the table is higher than the page.
 */
export function useRowInSight(
  frame: RefObject<HTMLElement | null>,
  index: number | null,
  wholeCount: number | null = null,
): void {
  useEffect(() => {
    const table = frame.current;
    if (index === null || table === null) return;
    const row = table.querySelector('tr[aria-selected="true"]');
    if (wholeCount === null) {
      (row ?? table).scrollIntoView({ block: 'nearest' });
      return;
    }
    table.scrollIntoView({ block: 'nearest' });
    const scroller = scrollerOf(table);
    if (scroller === null || table.offsetHeight <= scroller.clientHeight) return;
    // The row may not be drawn: its place is a share of the height of the table.
    table.scrollIntoView({ block: 'start' });
    const top = (index / Math.max(1, wholeCount)) * table.offsetHeight;
    scroller.scrollTop += top - scroller.clientHeight / 2;
  }, [frame, index, wholeCount]);
}

/** Returns the innermost element around `element` that scrolls; null if there is none. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
    const isScrolled = outer.scrollHeight > outer.clientHeight;
    if (isScrolled && /auto|scroll/.test(getComputedStyle(outer).overflowY)) return outer;
  }
  return null;
}
