/** Marks and texts of hex rows. Offsets count from the same origin as those of the grid. */
import type { KindTone, RelocTone } from './tone.ts';

export type ByteMark = {
  readonly start: number;
  /** Offset after the last marked byte. */
  readonly end: number;
  readonly tone: RelocTone | KindTone | 'accent' | 'muted';
  /** What the bytes mean, in one line. Screen readers speak the label after each byte. */
  readonly label: string;
  readonly className?: string;
  /** Whether the tone colours the digits instead of the background. */
  readonly isInk?: boolean;
  /** One or two characters drawn at the first byte. They must occur in `label`. */
  readonly badge?: string;
};

export type ByteRange = { readonly start: number; readonly end: number };

/** Part of a range in one row. `first` and `last` tell if the range begins or ends in the row. */
export type RowSegment = {
  readonly fromColumn: number;
  /** Column after the last one of the segment. */
  readonly toColumn: number;
  readonly first: boolean;
  readonly last: boolean;
};

/** Returns the part of `range` in the row of `length` bytes at `rowStart`, or null. */
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

/** Returns an offset in hex: `0x` and at least `digits` digits, never fewer than four. */
export function offsetText(offset: number, digits = 4): string {
  return `0x${offset.toString(16).padStart(Math.max(4, digits), '0')}`;
}

/** Returns the number of hex digits that all offsets of a region get: even, and at least 4. */
export function offsetDigits(lastOffset: number): number {
  const digits = lastOffset.toString(16).length;
  return Math.max(4, digits + (digits % 2));
}

/** Returns a byte as two hex digits. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Returns bytes as hex, such as `b7 01`. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, hexByte).join(' ');
}

/** Returns the printable ASCII character of a byte, or a dot. */
export function asciiOf(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

/** Returns `0x0010: 85, R_BPF_64_32 gfunc` for a byte. `byte` is null until loaded. */
export function byteLabel(offset: number, byte: number | null, marks: readonly ByteMark[]): string {
  const value = byte === null ? 'not loaded' : hexByte(byte);
  return [`${offsetText(offset)}: ${value}`, ...marks.map((mark) => mark.label)].join(', ');
}

/** Horizontal positions in a hex row, in character widths (CSS `ch`). */

/** Left and right padding of the offset together in CSS pixels, as in HexGrid.module.css. */
export const OFFSET_PADDING = 24;

/** Width of the gap between the last hex cell and the text, in `ch`. */
export const ASCII_GAP = 1.5;

export type CharSpan = { readonly from: number; readonly to: number };

/** Number of columns in a group. The gap between groups is wider than between columns. */
const GROUP = 8;

/** Returns where a hex cell starts. Each cell is three characters wide; each group adds one. */
function hexColumnStart(column: number): number {
  return column * 3 + Math.floor(column / GROUP);
}

/** Returns the width of the first `columns` hex cells. `columns` is at least 1. */
export function hexWidth(columns: number): number {
  return hexColumnStart(columns - 1) + 3;
}

/** Returns where the hex cells of a segment start and end, including the gaps between the cells. */
export function hexSpan({ fromColumn, toColumn }: RowSegment): CharSpan {
  return { from: hexColumnStart(fromColumn), to: hexWidth(toColumn) };
}

/** Returns where the characters of a segment start and end. */
export function asciiSpan({ fromColumn, toColumn }: RowSegment): CharSpan {
  return { from: fromColumn, to: toColumn };
}
