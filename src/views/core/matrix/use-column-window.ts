import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { onResize } from '#ui/use-element-size.ts';
import { columnWindow } from './column-window.ts';

type Options = {
  /** The element that scrolls. */
  readonly scrollerRef: RefObject<HTMLElement | null>;
  /** Columns of one width, and that width in CSS pixels. */
  readonly count: number;
  readonly width: number;
  /** CSS pixels of the column that stays and covers the others. */
  readonly covered: number;
};

/** Which columns are drawn, `first` to `end` (exclusive). Draws again when one comes into or leaves sight. */
export function useColumnWindow({ scrollerRef, count, width, covered }: Options) {
  const [seen, setSeen] = useState({ first: 0, end: 0 });
  const measure = useCallback(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    const next = columnWindow({
      count,
      width,
      scrollLeft: scroller.scrollLeft,
      room: scroller.clientWidth - covered,
    });
    setSeen((old) => (old.first === next.first && old.end === next.end ? old : next));
  }, [scrollerRef, count, width, covered]);

  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    const stop = onResize(scroller, measure);
    scroller.addEventListener('scroll', measure, { passive: true });
    return () => {
      stop();
      scroller.removeEventListener('scroll', measure);
    };
  }, [scrollerRef, measure]);

  return seen;
}
