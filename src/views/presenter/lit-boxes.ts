/** Where the current view draws what is selected. */
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { activeFile, session } from '#store/session/session.ts';

/** Every view says to screen readers what is selected; a tab is no selection of the file. */
const LIT = '[aria-selected="true"]:not([role="tab"]), [data-selected="true"]';
/** A type as a whole is its declaration; of a member the row is selected. */
const DECLARATION = '[aria-label="C declaration"]';
const MAX_BOXES = 2000;

/** What is selected at this moment in the file that is looked at. */
export function selectionNow(): Selection {
  return activeFile(session.getState())?.selection ?? NO_SELECTION;
}

/** The tool, which the spotlight may dim. */
export function toolElement(): Element | null {
  return document.querySelector('main [role="tabpanel"]') ?? document.querySelector('main');
}

/** The holes of the spotlight as the page is drawn now; none where nothing that is selected is in sight. */
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

/** What of `element`'s inside can be seen: the cut of all around it that hide what goes beyond them. */
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

/** In CSS pixels of the window. */
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
