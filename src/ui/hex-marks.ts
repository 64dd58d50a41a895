/** Marks and texts of hex rows. Offsets are those of the grid. */
import type { KindTone, RelocTone } from './tone.ts';

export type ByteMark = {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly tone: RelocTone | KindTone | 'accent' | 'muted';
  /** Meaning of the bytes, in one line; part of the accessible name of each byte. */
  readonly label: string;
  readonly className?: string;
  /** Whether the digits have the colour, not the background. */
  readonly isInk?: boolean;
  /** One or two characters at the first byte; `label` must contain them. */
  readonly badge?: string;
};

export type ByteRange = { readonly start: number; readonly end: number };

/** Part of one row, in columns. `first` and `last`: whether the range begins and ends in this row. */
export type RowSegment = {
  readonly fromColumn: number;
  /** Exclusive. */
  readonly toColumn: number;
  readonly first: boolean;
  readonly last: boolean;
};

/** Returns the part of `range` in the row of `length` bytes from `rowStart`; null if there is none. */
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

/** Returns an offset with `0x` and at least four digits, or `digits`. */
export function offsetText(offset: number, digits = 4): string {
  return `0x${offset.toString(16).padStart(Math.max(4, digits), '0')}`;
}

/** Returns the number of hex digits of a region's offsets: even, at least 4. */
export function offsetDigits(lastOffset: number): number {
  const digits = lastOffset.toString(16).length;
  return Math.max(4, digits + (digits % 2));
}

/** Returns two hex digits. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Returns `b7 01`. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, hexByte).join(' ');
}

/** Returns a printable ASCII character, else a dot. */
export function asciiOf(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

/** Returns `0x0010: 85, R_BPF_64_32 gfunc`. `byte` is null until it is loaded. */
export function byteLabel(offset: number, byte: number | null, marks: readonly ByteMark[]): string {
  const value = byte === null ? 'not loaded' : hexByte(byte);
  return [`${offsetText(offset)}: ${value}`, ...marks.map((mark) => mark.label)].join(', ');
}

/** Positions of the cells of a hex row in character widths (CSS `ch`), except for one padding in pixels. */

/** CSS pixels of both paddings of the offset, as in HexGrid.module.css. */
export const OFFSET_PADDING = 24;

/** Between the last hex cell and the text. */
export const ASCII_GAP = 1.5;

export type CharSpan = { readonly from: number; readonly to: number };

/** Columns per group; the gap between groups is wider. */
const GROUP = 8;

/** Returns the start of a hex cell: three characters per cell, one more per group. */
function hexColumnStart(column: number): number {
  return column * 3 + Math.floor(column / GROUP);
}

/** Returns the width of the first `columns` hex cells, at least one. */
export function hexWidth(columns: number): number {
  return hexColumnStart(columns - 1) + 3;
}

/** Returns the extent of a segment's hex cells with the gaps between them. */
export function hexSpan({ fromColumn, toColumn }: RowSegment): CharSpan {
  return { from: hexColumnStart(fromColumn), to: hexWidth(toColumn) };
}

/** Returns the extent of a segment's characters. */
export function asciiSpan({ fromColumn, toColumn }: RowSegment): CharSpan {
  return { from: fromColumn, to: toColumn };
}
