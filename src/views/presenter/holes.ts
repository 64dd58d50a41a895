/**
 * The holes of the spotlight: from the boxes of all that is selected to few rounded
 * rectangles. All in CSS pixels of the window. Bytes beside each other are one hole,
 * and so are rows of the same width under each other.
 */

export type Box = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** Boxes of one row that are nearer to each other than this are one. */
const GAP = 24;
/** Of the light around what is lit. */
const PADDING = 5;
/** Sizes of zoomed elements are rounded. */
const NEAR = 1.5;

/** The part of `box` inside of `clip`; null where that is nothing. */
export function clipped(box: Box, clip: Box): Box | null {
  const left = Math.max(box.left, clip.left);
  const top = Math.max(box.top, clip.top);
  const right = Math.min(box.right, clip.right);
  const bottom = Math.min(box.bottom, clip.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

/** The holes for `boxes`, from top to bottom, with some light around each. Every box lies in one of them. */
export function holesOf(boxes: readonly Box[]): Box[] {
  return stacked(rowsOf(boxes)).map(({ left, top, right, bottom }) => ({
    left: left - PADDING,
    top: top - PADDING,
    right: right + PADDING,
    bottom: bottom + PADDING,
  }));
}

function rowsOf(boxes: readonly Box[]): Box[] {
  const sorted = [...boxes].sort((a, b) => a.top - b.top || a.left - b.left);
  const rows: Box[] = [];
  for (const box of sorted) {
    const last = rows.at(-1);
    const isSameRow =
      last !== undefined && near(last.top, box.top) && near(last.bottom, box.bottom);
    if (isSameRow && box.left <= last.right + GAP) rows[rows.length - 1] = union(last, box);
    else rows.push(box);
  }
  return rows;
}

function stacked(rows: readonly Box[]): Box[] {
  const holes: Box[] = [];
  for (const row of rows) {
    const at = holes.findIndex(
      (hole) =>
        near(hole.left, row.left) &&
        near(hole.right, row.right) &&
        row.top <= hole.bottom + 2 * PADDING,
    );
    const above = holes[at];
    if (above === undefined) holes.push(row);
    else holes[at] = union(above, row);
  }
  return holes;
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= NEAR;
}

function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
