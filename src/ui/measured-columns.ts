import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { estimatedWidth, type TableColumn } from './table-columns.ts';

/** Pixels by which a text may be too wide for its cell without being cut: errors of rounding. */
const UNSEEN = 0.25;

/** What the drawn cells of a column need. */
type Measure = {
  /** Width in CSS pixels of the widest content, with the padding of the cell. */
  readonly need: number;
  /** Letters of the longest text. */
  readonly letters: number;
};

/**
 * Returns the columns, and once a cell is cut the columns with the widths that the drawn texts need.
 * Columns with a width of the user's keep it. React hook.
 */
export function useMeasured(
  tableRef: RefObject<HTMLTableElement | null>,
  columns: readonly TableColumn[],
  /** Width in CSS pixels of the table; 0 before its layout. Cells are measured again if it changes. */
  room: number,
  hasRows: boolean,
): readonly TableColumn[] {
  const [measured, setMeasured] = useState<{
    readonly from: readonly TableColumn[];
    readonly columns: readonly TableColumn[];
  } | null>(null);
  const last = useRef<{ readonly columns: readonly TableColumn[]; readonly room: number }>(null);
  useLayoutEffect(() => {
    const table = tableRef.current;
    // A hidden view that is shown again runs its effects again: its cells are as they were.
    if (last.current?.columns === columns && last.current.room === room) return;
    if (table === null || room === 0 || !hasRows) return;
    last.current = { columns, room };
    const needs = measuresOf(table);
    if (needs === null) return;
    setMeasured({ from: columns, columns: resized(columns, needs, roomOf(table)) });
  }, [tableRef, columns, room, hasRows]);
  return measured?.from === columns ? measured.columns : columns;
}

/**
 * Returns the columns as wide as their drawn cells need. What is left goes to those of which other
 * rows are estimated to need more; without such columns, the columns that grow get it.
 */
function resized(
  columns: readonly TableColumn[],
  measures: readonly Measure[],
  room: number,
): readonly TableColumn[] {
  const inLine = columns.filter(({ isBelow = false }) => !isBelow);
  const sizes = new Map(
    inLine.map((column) => {
      const { need, letters } = measures[columns.indexOf(column)] ?? { need: 0, letters: 0 };
      if (column.isFixed === true || need === 0) return [column, { need: column.width, more: 0 }];
      // The other rows have letters of the same width as the drawn ones.
      const ofOthers = ((column.estimate ?? 0) * need) / Math.max(need, estimatedWidth(letters));
      return [column, { need: Math.ceil(need), more: Math.max(0, Math.ceil(ofOthers - need)) }];
    }),
  );
  const sum = (of: 'need' | 'more') => [...sizes.values()].reduce((all, size) => all + size[of], 0);
  const spare = Math.max(0, room - sum('need')) / Math.max(1, sum('more'));
  return columns.map((column) => {
    const size = sizes.get(column);
    if (size === undefined || column.isFixed === true) return column;
    const need = Math.floor(size.need + size.more * Math.min(1, spare));
    return { ...column, width: Math.min(column.width, size.need), need };
  });
}

/** Returns the width in CSS pixels that the cells of a row share. */
function roomOf(table: HTMLTableElement): number {
  const row = table.tHead?.rows[0];
  if (row === undefined) return 0;
  const { paddingLeft, paddingRight } = getComputedStyle(row);
  return row.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

/** Returns the measures of the columns; null if no cell is cut. */
function measuresOf(table: HTMLTableElement): readonly Measure[] | null {
  const measures: Measure[] = [];
  let isCut = false;
  for (const row of table.rows) {
    for (const [at, cell] of [...row.cells].entries()) {
      if (cell.dataset.below === 'true') continue;
      const { width, lack, letters } = measuredCell(cell);
      isCut ||= lack > UNSEEN;
      const old = measures[at];
      measures[at] = {
        need: Math.max(old?.need ?? 0, width + lack),
        letters: Math.max(old?.letters ?? 0, row.parentElement?.tagName === 'TBODY' ? letters : 0),
      };
    }
  }
  return isCut ? measures : null;
}

/** Returns the width of a cell's content with padding, and by how much its widest text is cut. */
export function measuredCell(cell: HTMLTableCellElement) {
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const end = cell.getBoundingClientRect().right - Number.parseFloat(paddingRight);
  let [left, right, lack, letters] = [Infinity, -Infinity, 0, 0];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    // A style sheet draws the text of the attribute (`CutName`).
    const drawn = node instanceof HTMLElement ? node.dataset.text : undefined;
    if (node instanceof Text) range.selectNodeContents(node);
    else if (node instanceof SVGSVGElement) range.selectNode(iconOf(node));
    else if (drawn !== undefined) range.selectNode(node);
    else continue;
    const box = range.getBoundingClientRect();
    // Parts for screen readers are clipped to a pixel.
    if (box.width === 0 || (node.parentElement?.clientWidth ?? 2) === 1) continue;
    const clip = clipOf(node.parentElement, cell, end);
    left = Math.min(left, box.left);
    right = Math.max(right, Math.min(box.right, clip));
    if (node instanceof Text) {
      letters += node.length;
      lack = Math.max(lack, box.right - clip);
    } else if (node instanceof HTMLElement && drawn !== undefined) {
      letters += drawn.length;
      // Both are whole numbers, rounded.
      lack = Math.max(lack, node.scrollWidth - node.clientWidth - 1);
    }
  }
  const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
  return { width: right > left ? right - left + padding : 0, lack, letters };
}

/** Returns the button that has only this picture, or else the picture. */
function iconOf(picture: SVGSVGElement): Element {
  const button = picture.closest('button');
  return button?.textContent === '' ? button : picture;
}

/** Returns the right edge, in CSS pixels, at which the nearest parent in a cell cuts its content. */
function clipOf(parent: Element | null, cell: Element, end: number): number {
  let clip = end;
  for (let at = parent; at !== null && at !== cell; at = at.parentElement) {
    if (at.clientWidth > 0 && getComputedStyle(at).overflowX !== 'visible') {
      clip = Math.min(clip, at.getBoundingClientRect().right);
    }
  }
  return clip;
}
