/** Where the cells of a hex row stand. All in character widths (CSS `ch`) but for the one padding in pixels. */
import type { RowSegment } from './hex-marks.ts';

/** CSS pixels to both sides of the offset together; HexGrid.module.css pads by the same. */
export const OFFSET_PADDING = 24;

/** Between the last hex cell and the text. */
export const ASCII_GAP = 1.5;

export type CharSpan = { readonly from: number; readonly to: number };

/** Columns come in groups of eight with a wider gap between them. */
const GROUP = 8;

/** Where the hex cell of a column begins: three to a cell, one more before each group. */
function hexColumnStart(column: number): number {
  return column * 3 + Math.floor(column / GROUP);
}

/** Width of the first `columns` hex cells; at least one. */
export function hexWidth(columns: number): number {
  return hexColumnStart(columns - 1) + 3;
}

/** The place of a segment's hex cells, the gaps between them included. */
export function hexSpan({ fromColumn, toColumn }: RowSegment): CharSpan {
  return { from: hexColumnStart(fromColumn), to: hexWidth(toColumn) };
}

/** The place of a segment's characters, one wide each. */
export function asciiSpan({ fromColumn, toColumn }: RowSegment): CharSpan {
  return { from: fromColumn, to: toColumn };
}
