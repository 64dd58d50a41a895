/** Sizes in the drawing of the graph, in CSS pixels at scale 1. */
export const BOX_WIDTH = 248;
export const HEADER_HEIGHT = 30;
export const ROW_HEIGHT = 18;
/** Space below the last row of a box. */
const FOOT = 5;
/** Space between two columns for bends and labels of edges; `channelFor` widens it. */
const CHANNEL = 180;
const MAX_CHANNEL = 360;
/** Space between two boxes that are side by side in a shelf. */
export const SUB_GAP = 92;
/** Space between two shelves; `shelfGap` widens it for the edges of a wide column. */
const SHELF_GAP = 20;
const LINE_STEP = 3;

/** Returns the height of a box with `lines` lines below its header. */
export function boxHeight(lines: number): number {
  return lines === 0 ? HEADER_HEIGHT : HEADER_HEIGHT + lines * ROW_HEIGHT + FOOT;
}

/** Returns the y of the middle of a row. The box begins at `y`; row -1 is the header. */
export function rowY(y: number, row: number): number {
  return row < 0 ? y + HEADER_HEIGHT / 2 : y + HEADER_HEIGHT + (row + 0.5) * ROW_HEIGHT + 1;
}

/** Returns the space between two shelves of a column that is `subs` boxes wide. */
export function shelfGap(subs: number): number {
  return SHELF_GAP + 2 * LINE_STEP * (Math.min(subs, 8) - 1);
}

/** Returns the distance from a shelf to the line in the gap for edges of the shelf's box `sub`. */
export function lineInGap(sub: number): number {
  return 7 + LINE_STEP * Math.min(sub, 7);
}

/** Returns the width of the channel beside a column of `count` boxes. */
export function channelFor(count: number): number {
  return Math.min(MAX_CHANNEL, CHANNEL + Math.round(1.5 * count));
}

/** Maximum number of boxes in a column that is one box wide. */
const MAX_SINGLE = 64;

/** Returns how many boxes wide a column is; `height` is the total height of its `count` boxes. */
export function subsFor(count: number, height: number): number {
  if (count <= MAX_SINGLE) return 1;
  return Math.max(1, Math.round(Math.sqrt(height / (BOX_WIDTH + SUB_GAP))));
}
