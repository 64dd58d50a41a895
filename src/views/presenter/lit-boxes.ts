/** Where the current view draws what is selected. */
import type { Selection } from '#model/selection.ts';
import { type Box, clipped, holesOf } from './holes.ts';

/** Every view says to screen readers what is selected; a tab is no selection of the file. */
const LIT = '[aria-selected="true"]:not([role="tab"]), [data-selected="true"]';
/** A type as a whole is its declaration; of a member the row is selected. */
const DECLARATION = '[aria-label="C declaration"]';
const MOST = 2000;

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
  for (let i = 0; i < Math.min(elements.length, MOST); i++) {
    const element = elements[i];
    if (element?.parentElement == null) continue;
    const box = clipped(element.getBoundingClientRect(), clipOf(element.parentElement, clips));
    if (box !== null) boxes.push(box);
  }
  return holesOf(boxes);
}

const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** What of `element`'s inside can be seen: the cut of all around it that hide what goes beyond them. */
function clipOf(element: Element, known: Map<Element, Box>): Box {
  const unknown: Element[] = [];
  let at: Element | null = element;
  while (at !== null && !known.has(at)) {
    unknown.push(at);
    at = at.parentElement;
  }
  let clip = (at === null ? undefined : known.get(at)) ?? NOTHING;
  for (const inner of unknown.reverse()) {
    const hides = getComputedStyle(inner).overflow !== 'visible';
    if (hides) clip = clipped(inner.getBoundingClientRect(), clip) ?? NOTHING;
    known.set(inner, clip);
  }
  return clip;
}
