/** How large things are drawn in the graph. CSS pixels at scale 1. */
export const BOX_WIDTH = 248;
export const HEADER_HEIGHT = 30;
export const ROW_HEIGHT = 18;
/** Under the last row. */
const FOOT = 5;
/** Between two columns, where edges turn and their labels stand: wider where many edges turn. */
const CHANNEL = 180;
const MOST_CHANNEL = 360;
/** Between two boxes beside each other in one column. */
export const SUB_GAP = 92;
/** Between two rows of boxes; more where a column is several boxes wide, since edges run here. */
const SHELF_GAP = 20;
const LINE_STEP = 3;

/** Height of a box with that many lines under its header. */
export function boxHeight(lines: number): number {
  return lines === 0 ? HEADER_HEIGHT : HEADER_HEIGHT + lines * ROW_HEIGHT + FOOT;
}

/** The middle of row `row` of a box that begins at `y`; -1 is the header. */
export function rowY(y: number, row: number): number {
  return row < 0 ? y + HEADER_HEIGHT / 2 : y + HEADER_HEIGHT + (row + 0.5) * ROW_HEIGHT + 1;
}

/** Free height between two rows of boxes of a column that is `subs` boxes wide. */
export function shelfGap(subs: number): number {
  return SHELF_GAP + 2 * LINE_STEP * (Math.min(subs, 8) - 1);
}

/** How far from the boxes the edge of the box number `sub` runs in that gap. */
export function lineInGap(sub: number): number {
  return 7 + LINE_STEP * Math.min(sub, 7);
}

/** Width of the channel before a column that begins with `count` boxes. */
export function channelFor(count: number): number {
  return Math.min(MOST_CHANNEL, CHANNEL + Math.round(1.5 * count));
}

/** More boxes than this stand beside each other in their column. */
const ONE_ABOVE_ANOTHER = 64;

/** How many boxes a column of `count` boxes is wide, so that it is no tower. `height`: of all of them, one on another. */
export function subsFor(count: number, height: number): number {
  if (count <= ONE_ABOVE_ANOTHER) return 1;
  return Math.max(1, Math.round(Math.sqrt(height / (BOX_WIDTH + SUB_GAP))));
}
