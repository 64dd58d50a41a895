/**
 * Where rows of one height stand in a scroller, for any number of rows.
 *
 * An element cannot be taller than about 33.5 million pixels, and a list of a
 * file's rows may be taller. So there are two measures: `content`, the height
 * that the rows would need, and `scroll`, the height that the element gets, at
 * most `MAX_SCROLL_HEIGHT`. Near both ends one pixel of scroll is one pixel of
 * content; in between it stands for more. A small scroll (wheel, touch, key)
 * moves by its own pixels wherever it happens, a large one (the thumb) by the
 * map. All heights and offsets are CSS pixels. Nothing here grows with the
 * number of rows.
 */

/** The tallest element we make; well under every browser's limit. */
export const MAX_SCROLL_HEIGHT = 10_000_000;

/** At each end of a scaled scroller, the pixels that are mapped one to one. */
const GUARD = 1_000_000;

export type RowSpace = {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the part that shows rows. */
  readonly viewportHeight: number;
};

/** Which rows to draw, `first` to `end` (exclusive), and where: row `i` stands at `i * rowHeight + shift`. */
export type RowWindow = { readonly first: number; readonly end: number; readonly shift: number };

/** Height that all rows would need. */
function contentHeight(space: RowSpace): number {
  return space.count * space.rowHeight;
}

/** Height of the element that scrolls. */
export function scrollHeight(space: RowSpace): number {
  return Math.min(contentHeight(space), MAX_SCROLL_HEIGHT);
}

/** The largest content offset: with it the last row is at the bottom. */
export function maxContentOffset(space: RowSpace): number {
  return Math.max(0, contentHeight(space) - space.viewportHeight);
}

/** The largest `scrollTop`. */
export function maxScrollTop(space: RowSpace): number {
  return Math.max(0, scrollHeight(space) - space.viewportHeight);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** The `scrollTop` that stands for the content offset. */
export function scrollTopOf(space: RowSpace, contentOffset: number): number {
  const maxContent = maxContentOffset(space);
  const maxScroll = maxScrollTop(space);
  const offset = clamp(contentOffset, 0, maxContent);
  if (maxContent === maxScroll || offset <= GUARD) return offset;
  const fromEnd = maxContent - offset;
  if (fromEnd <= GUARD) return maxScroll - fromEnd;
  return GUARD + ((offset - GUARD) * (maxScroll - 2 * GUARD)) / (maxContent - 2 * GUARD);
}

/** The content offset that a `scrollTop` stands for; the inverse of `scrollTopOf`. */
export function contentOffsetOf(space: RowSpace, scrollTop: number): number {
  const maxContent = maxContentOffset(space);
  const maxScroll = maxScrollTop(space);
  const top = clamp(scrollTop, 0, maxScroll);
  if (maxContent === maxScroll || top <= GUARD) return Math.min(top, maxContent);
  const fromEnd = maxScroll - top;
  if (fromEnd <= GUARD) return maxContent - fromEnd;
  return GUARD + ((top - GUARD) * (maxContent - 2 * GUARD)) / (maxScroll - 2 * GUARD);
}

/**
 * The content offset after the element went from one `scrollTop` to another.
 * The ends of the scroller are always the ends of the content.
 */
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

/** The content offset that shows a row: as near as can be to `contentOffset`, or with the row in the middle. */
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

/** The rows to draw at a content offset, with `overscan` more on both sides. */
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
