import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { onResize } from '#ui/use-element-size.ts';

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

/** Columns that are drawn before they are seen, on both sides: a scroll may be faster than a frame. */
const OVERSCAN = 3;

/** Which of `count` columns of one width are in sight, and a few more. All lengths are CSS pixels. */
export function columnWindow({
  count,
  width,
  scrollLeft,
  room,
}: {
  readonly count: number;
  readonly width: number;
  readonly scrollLeft: number;
  /** What is left for them beside the column that stays. */
  readonly room: number;
}): { readonly first: number; readonly end: number } {
  const first = Math.floor(scrollLeft / width) - OVERSCAN;
  const end = Math.ceil((scrollLeft + Math.max(0, room)) / width) + OVERSCAN;
  const clamp = (column: number) => Math.max(0, Math.min(count, column));
  return { first: clamp(first), end: clamp(end) };
}
