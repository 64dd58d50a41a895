/** Which parts of a hex row are marked, and what a byte's cell says. Offsets count as the grid's do. */
import type { KindTone, RelocTone } from './tone.ts';

export type ByteMark = {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly tone: RelocTone | KindTone | 'accent' | 'muted';
  /** One line: what the bytes are. Part of the accessible name of each of them. */
  readonly label: string;
  readonly className?: string;
  /** Colours the digits and not the ground behind them. */
  readonly isInk?: boolean;
  /** A character or two at its first byte; `label` has to say them as well. */
  readonly badge?: string;
};

export type ByteRange = { readonly start: number; readonly end: number };

/** A part of one row, in columns; `first` and `last` tell whether the whole range begins and ends here. */
export type RowSegment = {
  readonly fromColumn: number;
  /** Exclusive. */
  readonly toColumn: number;
  readonly first: boolean;
  readonly last: boolean;
};

/** The part of `range` in the row of `length` bytes from `rowStart`, or null when there is none. */
export function segmentInRow(
  range: ByteRange,
  rowStart: number,
  length: number,
): RowSegment | null {
  const start = Math.max(range.start, rowStart);
  const end = Math.min(range.end, rowStart + length);
  if (start >= end) return null;
  return {
    fromColumn: start - rowStart,
    toColumn: end - rowStart,
    first: start === range.start,
    last: end === range.end,
  };
}

/** An offset as it stands in the first column: `0x`, at least four digits, `digits` when that is more. */
export function offsetText(offset: number, digits = 4): string {
  return `0x${offset.toString(16).padStart(Math.max(4, digits), '0')}`;
}

/** How many hex digits the offsets of a region need; an even number, at least 4. */
export function offsetDigits(lastOffset: number): number {
  const digits = lastOffset.toString(16).length;
  return Math.max(4, digits + (digits % 2));
}

/** Two hex digits. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Bytes in hex with spaces between them: `b7 01`. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, hexByte).join(' ');
}

/** The character that stands for a byte beside the hex: printable ASCII as it is, else a dot. */
export function asciiOf(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

/** Accessible name of a byte: `0x0010: 85, R_BPF_64_32 gfunc`. `byte` is null when it is not loaded. */
export function byteLabel(offset: number, byte: number | null, marks: readonly ByteMark[]): string {
  const value = byte === null ? 'not loaded' : hexByte(byte);
  return [`${offsetText(offset)}: ${value}`, ...marks.map((mark) => mark.label)].join(', ');
}

/** Where the cells of a hex row stand. All in character widths (CSS `ch`) but for the one padding in pixels. */

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
