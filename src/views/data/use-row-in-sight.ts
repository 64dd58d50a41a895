import { type RefObject, useEffect } from 'react';

/** Brings the marked row of a table into sight of the page, which scrolls as well; null leaves the page as it is. */
export function useRowInSight(frame: RefObject<HTMLElement | null>, index: number | null): void {
  useEffect(() => {
    if (index === null) return;
    const row = frame.current?.querySelector('tr[aria-selected="true"]');
    (row ?? frame.current)?.scrollIntoView({ block: 'nearest' });
  }, [frame, index]);
}
