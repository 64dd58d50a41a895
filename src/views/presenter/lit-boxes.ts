/** Finds the boxes in which the current view draws the selection. */
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { activeFileNow } from '#store/session/session.ts';
import { IN_SIGHT } from '#ui/keys.tsx';

/** Matches selected elements. A selected tab is excluded, since it is no selection in the file. */
const LIT = `:is([aria-selected="true"]:not([role="tab"]), [data-selected="true"])${IN_SIGHT}`;
/** Matches the declaration, which is lit for a selected type. For a member, its row is lit. */
const DECLARATION = `[aria-label="C declaration"]${IN_SIGHT}`;
const MAX_BOXES = 2000;

/** Returns the selection in the active file. */
export function selectionNow(): Selection {
  return activeFileNow()?.selection ?? NO_SELECTION;
}

/** Returns the element that the spotlight dims. */
export function toolElement(): Element | null {
  return document.querySelector('main [role="tabpanel"]') ?? document.querySelector('main');
}

/** Returns the areas that the spotlight leaves bright; empty if no selection is visible. */
export function holesNow(tool: Element, selection: Selection): Box[] {
  if (selection.kind === 'none') return [];
  const clips = new Map<Element, Box>([[tool, tool.getBoundingClientRect()]]);
  const isWhole = selection.kind === 'type' && selection.memberPath.length === 0;
  const elements = tool.querySelectorAll(isWhole ? `${LIT}, ${DECLARATION}` : LIT);
  const boxes: Box[] = [];
  for (let i = 0; i < Math.min(elements.length, MAX_BOXES); i++) {
    const element = elements[i];
    if (element?.parentElement == null) continue;
    const box = clipped(element.getBoundingClientRect(), clipOf(element.parentElement, clips));
    if (box !== null) boxes.push(box);
  }
  return holesOf(boxes);
}

const NO_BOX: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** Returns the area in which an element is visible: the intersection of all ancestors that clip. */
function clipOf(element: Element, known: Map<Element, Box>): Box {
  const unknown: Element[] = [];
  let at: Element | null = element;
  while (at !== null && !known.has(at)) {
    unknown.push(at);
    at = at.parentElement;
  }
  let clip = (at === null ? undefined : known.get(at)) ?? NO_BOX;
  for (const inner of unknown.reverse()) {
    const hides = getComputedStyle(inner).overflow !== 'visible';
    if (hides) clip = clipped(inner.getBoundingClientRect(), clip) ?? NO_BOX;
    known.set(inner, clip);
  }
  return clip;
}

/** A rectangle in CSS pixels of the window. */
export type Box = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** Maximum distance in CSS pixels of boxes in one row that are joined. */
const GAP = 24;
/** Width in CSS pixels of the bright area around a box. */
const PADDING = 5;
/** Tolerance in CSS pixels, since the sizes of zoomed elements are rounded. */
const NEAR = 1.5;

/** Returns the part of `box` inside `clip`; null if they do not overlap. */
export function clipped(box: Box, clip: Box): Box | null {
  const left = Math.max(box.left, clip.left);
  const top = Math.max(box.top, clip.top);
  const right = Math.min(box.right, clip.right);
  const bottom = Math.min(box.bottom, clip.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

/** Returns padded areas that contain all boxes, from top to bottom. */
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
