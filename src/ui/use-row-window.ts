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
import { onResize } from './element-size.tsx';

export const OVERSCAN = 8;
/** Milliseconds after the last scroll event until the thumb moves to the rows' position. */
const SETTLE_MS = 200;

type Options = {
  readonly count: number;
  /** Height of a row in CSS pixels. */
  readonly rowHeight: number;
  /** Height in CSS pixels of a sticky header at the top of the scroller. */
  readonly headerHeight?: number;
  /** Number of rows that are drawn above and below the visible rows, by default 8. */
  readonly overscan?: number;
  /** Any value that identifies the list. When it changes, the scroller goes to the top. */
  readonly list?: unknown;
};

export type RowWindowControl<T extends HTMLElement> = RowWindow & {
  /** Reference for the element that scrolls. */
  readonly scrollerRef: RefObject<T | null>;
  /** Height in CSS pixels of the element that contains the rows. */
  readonly height: number;
  /** Number of rows that are visible as a whole, at least 1. */
  readonly pageRows: number;
  /** Scrolls to a row, unless the row is visible. */
  readonly showRow: (rowIndex: number, align: 'nearest' | 'center') => void;
};

/** Returns the rows that a scroller draws. Renders synchronously, so that no gap shows. */
export function useRowWindow<T extends HTMLElement>({
  count,
  rowHeight,
  headerHeight = 0,
  overscan = OVERSCAN,
  list,
}: Options): RowWindowControl<T> {
  const scrollerRef = useRef<T>(null);
  const [viewportHeight, setViewportHeight] = useState(0);
  const space: RowSpace = { count, rowHeight, viewportHeight };
  const spaceRef = useRef(space);
  const place = useRef({ contentOffset: 0, scrollTop: 0 });
  // Latest row requested by `showRow`, centred again when the pane gets its height.
  const centred = useRef<number | null>(null);
  const placedIn = useRef(list);
  const [drawn, setDrawn] = useState({ row: 0, shift: 0 });
  // Draws only visible rows at first, so that a view appears one frame earlier.
  const drawnAround = useDeferredValue(overscan, 0);

  const redraw = useCallback(() => {
    const { contentOffset, scrollTop } = place.current;
    const row = Math.floor(contentOffset / spaceRef.current.rowHeight);
    // If the height is not scaled, the offsets differ only by rounding: ignore the difference.
    const exact = scrollTop - contentOffset;
    const shift = Math.abs(exact) < 1 ? 0 : exact;
    setDrawn((old) => (old.row === row && old.shift === shift ? old : { row, shift }));
  }, []);

  const moveTo = useCallback(
    (contentOffset: number) => {
      const scroller = scrollerRef.current;
      if (scroller === null) return;
      // Setting `scrollTop` to 0 again would lay out the whole page.
      const { current } = place;
      if (contentOffset === 0 && current.contentOffset === 0 && current.scrollTop === 0) {
        redraw();
        return;
      }
      const wanted = scrollTopOf(spaceRef.current, contentOffset);
      scroller.scrollTop = wanted;
      const { scrollTop } = scroller;
      // The browser may limit `scrollTop`: follow it, unless the scroller is hidden.
      const isShort = Math.abs(wanted - scrollTop) >= 1 && scroller.clientHeight > 0;
      place.current = {
        contentOffset: isShort ? contentOffsetOf(spaceRef.current, scrollTop) : contentOffset,
        scrollTop,
      };
      redraw();
    },
    [redraw],
  );

  const keepPlace = useCallback(() => {
    const offset = Math.min(place.current.contentOffset, maxContentOffset(spaceRef.current));
    const row = centred.current;
    moveTo(row === null ? offset : offsetToShow(spaceRef.current, offset, row, 'center'));
  }, [moveTo]);

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
      if (height === spaceRef.current.viewportHeight) return;
      // Set at once: an effect may request a row before the next render.
      spaceRef.current = { ...spaceRef.current, viewportHeight: height };
      setViewportHeight(height);
      keepPlace();
    };
    return onResize(scroller, measure);
  }, [headerHeight, keepPlace]);

  useLayoutEffect(() => {
    spaceRef.current = { ...spaceRef.current, count, rowHeight };
    if (placedIn.current === list) {
      keepPlace();
      return;
    }
    placedIn.current = list;
    centred.current = null;
    moveTo(0);
  }, [count, rowHeight, list, keepPlace, moveTo]);

  useEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const { contentOffset, scrollTop } = place.current;
      // Elastic scrolling goes past the ends of the scroller: the rows do not follow.
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
    ...rowWindow(space, drawn.row * rowHeight, drawn.shift, drawnAround),
    scrollerRef,
    height: scrollHeight(space),
    pageRows: Math.max(1, Math.floor(viewportHeight / rowHeight)),
    showRow,
  };
}

/**
 * Positions of equally high rows in a scroller, for any number of rows, in CSS pixels.
 *
 * Browsers limit an element to about 33.5 million pixels, but all rows of a file can need more. So
 * there are two heights: the rows need `content`, and the element gets `scroll`, which is at most
 * `MAX_SCROLL_HEIGHT`. Near both ends a pixel of scroll is a pixel of content. Between the ends it
 * is more than one pixel of content. A small scroll (wheel, touch, key) moves the content by its
 * own pixels. A large scroll (the thumb of the scroll bar) moves the content in proportion.
 */

/** Maximum height of an element in CSS pixels, below the limit of every browser. */
export const MAX_SCROLL_HEIGHT = 10_000_000;

/** Length in CSS pixels at each end, where one pixel of scroll is one pixel of content. */
const GUARD = 1_000_000;

export type RowSpace = {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the area in which rows are visible. */
  readonly viewportHeight: number;
};

/** Rows to draw, `first` to `end` (exclusive). Row `i` is drawn at `i * rowHeight + shift`. */
type RowWindow = { readonly first: number; readonly end: number; readonly shift: number };

/** Returns the height that all rows need. */
function contentHeight(space: RowSpace): number {
  return space.count * space.rowHeight;
}

/** Returns the height of the element that contains the rows, at most `MAX_SCROLL_HEIGHT`. */
export function scrollHeight(space: RowSpace): number {
  return Math.min(contentHeight(space), MAX_SCROLL_HEIGHT);
}

/** Returns the largest content offset: the last row is then at the bottom. */
export function maxContentOffset(space: RowSpace): number {
  return Math.max(0, contentHeight(space) - space.viewportHeight);
}

function maxScrollTop(space: RowSpace): number {
  return Math.max(0, scrollHeight(space) - space.viewportHeight);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Returns the `scrollTop` that shows a content offset. */
export function scrollTopOf(space: RowSpace, contentOffset: number): number {
  const maxContent = maxContentOffset(space);
  const maxScroll = maxScrollTop(space);
  const offset = clamp(contentOffset, 0, maxContent);
  if (maxContent === maxScroll || offset <= GUARD) return offset;
  const fromEnd = maxContent - offset;
  if (fromEnd <= GUARD) return maxScroll - fromEnd;
  return GUARD + ((offset - GUARD) * (maxScroll - 2 * GUARD)) / (maxContent - 2 * GUARD);
}

/** Returns the content offset that a `scrollTop` shows; the inverse of `scrollTopOf`. */
export function contentOffsetOf(space: RowSpace, scrollTop: number): number {
  const maxContent = maxContentOffset(space);
  const maxScroll = maxScrollTop(space);
  const top = clamp(scrollTop, 0, maxScroll);
  if (maxContent === maxScroll || top <= GUARD) return Math.min(top, maxContent);
  const fromEnd = maxScroll - top;
  if (fromEnd <= GUARD) return maxContent - fromEnd;
  return GUARD + ((top - GUARD) * (maxContent - 2 * GUARD)) / (maxScroll - 2 * GUARD);
}

/** Returns the content offset after a scroll event. */
export function afterScroll(
  space: RowSpace,
  contentOffset: number,
  fromScrollTop: number,
  toScrollTop: number,
): number {
  const delta = toScrollTop - fromScrollTop;
  const atAnEnd = toScrollTop <= 0 || toScrollTop >= maxScrollTop(space) - 0.5;
  if (atAnEnd || Math.abs(delta) > Math.max(space.viewportHeight, 1)) {
    return contentOffsetOf(space, toScrollTop);
  }
  return clamp(contentOffset + delta, 0, maxContentOffset(space));
}

/** Returns the content offset that shows a row, in the middle or with the least scrolling. */
export function offsetToShow(
  space: RowSpace,
  contentOffset: number,
  rowIndex: number,
  align: 'nearest' | 'center',
): number {
  const { rowHeight, viewportHeight } = space;
  const top = clamp(rowIndex, 0, Math.max(0, space.count - 1)) * rowHeight;
  const isVisible = top >= contentOffset && top + rowHeight <= contentOffset + viewportHeight;
  if (isVisible) return contentOffset;
  let target = top - (viewportHeight - rowHeight) / 2;
  if (align === 'nearest') target = top < contentOffset ? top : top + rowHeight - viewportHeight;
  return clamp(target, 0, maxContentOffset(space));
}

/** Returns the rows to draw at a content offset, with `overscan` more rows on both sides. */
export function rowWindow(
  space: RowSpace,
  contentOffset: number,
  shift: number,
  overscan: number,
): RowWindow {
  const firstVisible = Math.floor(contentOffset / space.rowHeight);
  const visible = Math.ceil(space.viewportHeight / space.rowHeight) + 1;
  return {
    first: clamp(firstVisible - overscan, 0, space.count),
    end: clamp(firstVisible + visible + overscan, 0, space.count),
    shift,
  };
}
