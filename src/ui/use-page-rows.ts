import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { onResize } from './element-size.tsx';
import { OVERSCAN, type RowWindowControl, rowWindow } from './use-row-window.ts';

/** Number of rows drawn before the first layout. */
const FIRST_ROWS = 40;

type Options = {
  readonly count: number;
  /** Height of a row in CSS pixels. */
  readonly rowHeight: number;
  /** Height of the sticky header in CSS pixels. */
  readonly headerHeight: number;
};

type Sight = { readonly first: number; readonly end: number; readonly pageRows: number };

/** Returns the rows to draw of a table that does not scroll itself: the page around it scrolls. */
export function usePageRows<T extends HTMLElement>(options: Options): RowWindowControl<T> {
  const { count, rowHeight, headerHeight } = options;
  const scrollerRef = useRef<T>(null);
  const [sight, setSight] = useState<Sight>({ first: 0, end: FIRST_ROWS, pageRows: 1 });

  const measure = useCallback(() => {
    const table = scrollerRef.current;
    const page = table === null ? null : scrollParent(table);
    if (table === null || page === null) return;
    const viewportHeight = page.clientHeight;
    const above = -topIn(page, table) - headerHeight;
    const space = { count, rowHeight, viewportHeight };
    const { first, end } = rowWindow(space, Math.max(0, above), 0, OVERSCAN);
    const pageRows = Math.max(1, Math.floor((viewportHeight - headerHeight) / rowHeight));
    setSight((old) =>
      old.first === first && old.end === end && old.pageRows === pageRows
        ? old
        : { first, end, pageRows },
    );
  }, [count, rowHeight, headerHeight]);

  useLayoutEffect(() => {
    const page = scrollerRef.current === null ? null : scrollParent(scrollerRef.current);
    if (page === null) return;
    const stops = [page, ...page.children].map((element) => onResize(element, measure));
    return () => {
      for (const stop of stops) stop();
    };
  }, [measure]);

  useEffect(() => {
    const page = scrollerRef.current === null ? null : scrollParent(scrollerRef.current);
    const onScroll = () => flushSync(measure);
    page?.addEventListener('scroll', onScroll, { passive: true });
    return () => page?.removeEventListener('scroll', onScroll);
  }, [measure]);

  const showRow = useCallback(
    (rowIndex: number, align: 'nearest' | 'center') => {
      const table = scrollerRef.current;
      const page = table === null ? null : scrollParent(table);
      if (table === null || page === null) return;
      const top = topIn(page, table) + headerHeight + rowIndex * rowHeight;
      const past = top + rowHeight - page.clientHeight;
      if (top >= headerHeight && past <= 0) return;
      const nearest = top < headerHeight ? top - headerHeight : past;
      page.scrollTop += align === 'center' ? top - (page.clientHeight - rowHeight) / 2 : nearest;
      measure();
    },
    [rowHeight, headerHeight, measure],
  );

  return {
    first: Math.min(sight.first, count),
    end: Math.min(sight.end, count),
    shift: 0,
    scrollerRef,
    height: count * rowHeight,
    pageRows: sight.pageRows,
    showRow,
  };
}

/** Returns the distance in CSS pixels from the visible top of `page` to the top of `element`. */
function topIn(page: Element, element: Element): number {
  return element.getBoundingClientRect().top - page.getBoundingClientRect().top;
}

/** Returns the nearest ancestor of `element` that scrolls vertically. */
export function scrollParent(element: Element): Element | null {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement;
}
