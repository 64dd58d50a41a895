import { type RefObject, useEffect } from 'react';

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
