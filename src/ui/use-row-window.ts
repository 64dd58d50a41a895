import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import {
  afterScroll,
  maxContentOffset,
  maxScrollTop,
  offsetToShow,
  type RowSpace,
  type RowWindow,
  rowWindow,
  scrollHeight,
  scrollTopOf,
} from './row-window.ts';
import { onResize } from './use-element-size.ts';

const OVERSCAN = 8;
/** After this long without a scroll event the thumb is set to where the content really is. */
const SETTLE_MS = 200;

type Options = {
  readonly count: number;
  /** CSS pixels. */
  readonly rowHeight: number;
  /** CSS pixels at the top of the scroller that a sticky header covers. */
  readonly headerHeight?: number;
};

export type RowWindowControl<T extends HTMLElement> = RowWindow & {
  /** Goes on the element that scrolls. */
  readonly scrollerRef: RefObject<T | null>;
  /** Height for the element inside the scroller that holds the rows. */
  readonly height: number;
  /** How many whole rows the scroller shows; at least 1. */
  readonly pageRows: number;
  /** Scrolls so that the row is seen. Does nothing when it already is. */
  readonly showRow: (rowIndex: number, align: 'nearest' | 'center') => void;
};

/**
 * Which rows of a scroller are to be drawn; see row-window.ts for the measures.
 *
 * A scroll renders only when a row comes into or leaves the window, and then at
 * once, so that no frame shows a gap.
 */
export function useRowWindow<T extends HTMLElement>({
  count,
  rowHeight,
  headerHeight = 0,
}: Options): RowWindowControl<T> {
  const scrollerRef = useRef<T>(null);
  const [viewportHeight, setViewportHeight] = useState(0);
  const space: RowSpace = { count, rowHeight, viewportHeight };
  const spaceRef = useRef(space);
  const place = useRef({ contentOffset: 0, scrollTop: 0 });
  // The row that was asked for last, until the person scrolls: a pane gets its height
  // after its rows are first drawn, and the row is to be in the middle of that height.
  const centred = useRef<number | null>(null);
  const [drawn, setDrawn] = useState({ row: 0, shift: 0 });
  // First what is seen, so that a view is there a frame earlier.
  const overscan = useDeferredValue(OVERSCAN, 0);

  const redraw = useCallback(() => {
    const { contentOffset, scrollTop } = place.current;
    const row = Math.floor(contentOffset / spaceRef.current.rowHeight);
    // Below a scaled scroller's limit both are equal up to rounding, and native scrolling moves the rows.
    const exact = scrollTop - contentOffset;
    const shift = Math.abs(exact) < 1 ? 0 : exact;
    setDrawn((old) => (old.row === row && old.shift === shift ? old : { row, shift }));
  }, []);

  const moveTo = useCallback(
    (contentOffset: number) => {
      const scroller = scrollerRef.current;
      if (scroller === null) return;
      // At the top it is already; to set it would lay out the whole page.
      const { current } = place;
      if (contentOffset === 0 && current.contentOffset === 0 && current.scrollTop === 0) {
        redraw();
        return;
      }
      scroller.scrollTop = scrollTopOf(spaceRef.current, contentOffset);
      place.current = { contentOffset, scrollTop: scroller.scrollTop };
      redraw();
    },
    [redraw],
  );

  const showRow = useCallback(
    (rowIndex: number, align: 'nearest' | 'center') => {
      centred.current = align === 'center' ? rowIndex : null;
      const { contentOffset } = place.current;
      const target = offsetToShow(spaceRef.current, contentOffset, rowIndex, align);
      if (target !== contentOffset) moveTo(target);
    },
    [moveTo],
  );

  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    const measure = () => {
      const height = Math.max(0, scroller.clientHeight - headerHeight);
      // At once, because an effect may ask for a row before the next render.
      spaceRef.current = { ...spaceRef.current, viewportHeight: height };
      setViewportHeight(height);
    };
    return onResize(scroller, measure);
  }, [headerHeight]);

  useLayoutEffect(() => {
    spaceRef.current = { count, rowHeight, viewportHeight };
    const offset = Math.min(place.current.contentOffset, maxContentOffset(spaceRef.current));
    const row = centred.current;
    moveTo(row === null ? offset : offsetToShow(spaceRef.current, offset, row, 'center'));
  }, [count, rowHeight, viewportHeight, moveTo]);

  useEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const { contentOffset, scrollTop } = place.current;
      // A rubber band goes past both ends; the rows stay.
      const next = Math.max(0, Math.min(scroller.scrollTop, maxScrollTop(spaceRef.current)));
      if (next === scrollTop) return;
      centred.current = null;
      place.current = {
        contentOffset: afterScroll(spaceRef.current, contentOffset, scrollTop, next),
        scrollTop: next,
      };
      flushSync(redraw);
      clearTimeout(settle);
      settle = setTimeout(() => {
        const wanted = scrollTopOf(spaceRef.current, place.current.contentOffset);
        if (Math.abs(wanted - scroller.scrollTop) >= 1) moveTo(place.current.contentOffset);
      }, SETTLE_MS);
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(settle);
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [redraw, moveTo]);

  return {
    ...rowWindow(space, drawn.row * rowHeight, drawn.shift, overscan),
    scrollerRef,
    height: scrollHeight(space),
    pageRows: Math.max(1, Math.floor(viewportHeight / rowHeight)),
    showRow,
  };
}
