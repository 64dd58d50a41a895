/** Drawing of a struct to scale: lines of equal length, with lanes for members that share bytes. */
import { lowerBound } from '#bytes/arrays.ts';
import { addTo } from '#bytes/cache.ts';
import type { MemberRow } from './member-rows.ts';

/** The part of a row that is drawn on one line. */
export type ScaleBox = {
  readonly row: number;
  /** Offset in bits from the start of the struct. */
  readonly startBit: number;
  /** Width in bits; 0 for a member without bits. */
  readonly bits: number;
  /** True if the row begins on an earlier line. */
  readonly isRest: boolean;
  /** True if the row continues on a later line. */
  readonly goesOn: boolean;
};

export type ScaleStrip =
  | {
      readonly kind: 'bytes';
      readonly startByte: number;
      /** Index of the lane in its line, and number of lanes of the line. */
      readonly lane: number;
      readonly lanes: number;
      /** Boxes of the lane in order of offset, without overlaps. */
      readonly boxes: readonly ScaleBox[];
    }
  | {
      readonly kind: 'left-out';
      readonly startByte: number;
      readonly endByte: number;
      /** Innermost row that covers all bytes of the strip; null if several rows share them. */
      readonly row: number | null;
    };

export type Scale = {
  readonly lineBytes: number;
  readonly strips: readonly ScaleStrip[];
  /** Index of the first strip of each row; -1 for a row that is not drawn. */
  readonly stripOfRow: Int32Array;
  /** True if the end of the struct is omitted because there are too many boxes. */
  readonly isCut: boolean;
};

const MAX_BOXES = 300_000;
/** Maximum number of lines to draw one after another if no row begins or ends on them. */
const MAX_QUIET = 2;

/** Draws `rows` in lines of `lineBytes`. `onlyHoles` omits lines without holes or padding. */
export function drawToScale(
  rows: readonly MemberRow[],
  sizeBytes: number,
  lineBytes: number,
  onlyHoles: boolean,
): Scale {
  const spans = spansOnLines(rows, sizeBytes, lineBytes);
  return drawing(rows, spans, lineBytes, drawnLines(rows, spans, onlyHoles));
}

/** Returns the drawing of the lines `wanted`, which are ascending line numbers. */
export function drawLinesToScale(
  rows: readonly MemberRow[],
  sizeBytes: number,
  lineBytes: number,
  wanted: readonly number[],
): Scale {
  return drawing(rows, spansOnLines(rows, sizeBytes, lineBytes), lineBytes, wanted);
}

function drawing(
  rows: readonly MemberRow[],
  spans: readonly (LineSpan | null)[],
  lineBytes: number,
  wanted: readonly number[],
): Scale {
  const { lines, isCut } = withinLimit(wanted, spans);
  const { boxes: boxesByLine, between } = boxesOf(rows, spans, lines, 8 * lineBytes);
  const lanes = lanesOf(rows);
  const strips: ScaleStrip[] = [];
  const stripOfRow = new Int32Array(rows.length).fill(-1);
  lines.forEach((line, k) => {
    const byLane = new Map<number, ScaleBox[]>();
    for (const box of boxesByLine[k] ?? []) addTo(byLane, lanes[box.row] ?? 0, box);
    const ordered = [...byLane].sort(([a], [b]) => a - b);
    ordered.forEach(([, boxes], lane) => {
      for (const { row, isRest } of boxes) {
        if (!isRest || stripOfRow[row] === -1) stripOfRow[row] = strips.length;
      }
      strips.push({
        kind: 'bytes',
        startByte: line * lineBytes,
        lane,
        lanes: ordered.length,
        boxes: boxes.sort((a, b) => a.startBit - b.startBit || a.bits - b.bits),
      });
    });
    const end = lines[k + 1];
    if (end === undefined || end === line + 1) return;
    const range = { startByte: (line + 1) * lineBytes, endByte: end * lineBytes };
    strips.push({ kind: 'left-out', ...range, row: between[k] ?? null });
  });
  return { lineBytes, strips, stripOfRow, isCut };
}

type LineSpan = {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  /** Last line of the row, inclusive. */
  readonly last: number;
};

function spansOnLines(
  rows: readonly MemberRow[],
  sizeBytes: number,
  lineBytes: number,
): (LineSpan | null)[] {
  return rows.map((row) => spanOnLines(row, 8 * sizeBytes, 8 * lineBytes));
}

/** Returns the lines that a row covers; null if it begins after the end of the struct. */
function spanOnLines(row: MemberRow, sizeBits: number, lineBits: number): LineSpan | null {
  const start = row.bitOffset;
  if (start > sizeBits || sizeBits === 0) return null;
  const end = Math.min(sizeBits, start + row.bitSize);
  const first = Math.floor(Math.min(start, sizeBits - 1) / lineBits);
  return { start, end, first, last: Math.max(first, Math.floor((end - 1) / lineBits)) };
}

function drawnLines(
  rows: readonly MemberRow[],
  spans: readonly (LineSpan | null)[],
  onlyHoles: boolean,
): number[] {
  const wanted = new Set<number>();
  spans.forEach((span, i) => {
    if (span === null || (onlyHoles && rows[i]?.kind === 'member')) return;
    wanted.add(span.first);
    wanted.add(span.last);
  });
  const lines: number[] = [];
  for (const line of [...wanted].sort((a, b) => a - b)) {
    const next = (lines.at(-1) ?? -1) + 1;
    if (!onlyHoles && line - next <= MAX_QUIET) {
      for (let quiet = next; quiet < line; quiet++) lines.push(quiet);
    }
    lines.push(line);
  }
  return lines;
}

/** Returns as many lines from the start as fit the limit of boxes, but at least one. */
function withinLimit(lines: readonly number[], spans: readonly (LineSpan | null)[]) {
  const steps = new Float64Array(lines.length + 1);
  for (const span of spans) {
    if (span === null) continue;
    const from = lowerBound(lines, span.first);
    const to = lowerBound(lines, span.last + 1);
    steps[from] = (steps[from] ?? 0) + 1;
    steps[to] = (steps[to] ?? 0) - 1;
  }
  let here = 0;
  let sum = 0;
  for (let k = 0; k < lines.length; k++) {
    here += steps[k] ?? 0;
    sum += here;
    if (sum > MAX_BOXES && k > 0) return { lines: lines.slice(0, k), isCut: true };
  }
  return { lines, isCut: false };
}

function boxesOf(
  rows: readonly MemberRow[],
  spans: readonly (LineSpan | null)[],
  lines: readonly number[],
  lineBits: number,
) {
  const boxes: ScaleBox[][] = lines.map(() => []);
  /** For each drawn line, the innermost row that covers all bytes omitted before it. */
  const between: (number | null)[] = lines.map(() => null);
  rows.forEach((row, index) => {
    const span = spans[index] ?? null;
    if (span === null) return;
    const end = lowerBound(lines, span.last + 1);
    for (let k = lowerBound(lines, span.first); k < end; k++) {
      const line = lines[k] ?? 0;
      if (k + 1 < end && row.depth >= (rows[between[k] ?? -1]?.depth ?? 0)) between[k] = index;
      const lineStart = line * lineBits;
      const startBit = Math.max(span.start, lineStart);
      const endBit = Math.min(span.end, lineStart + lineBits);
      // An unfolded member has no box on lines that its own members fill.
      const isFull = startBit === lineStart && endBit === lineStart + lineBits;
      if (row.isUnfolded && isFull && line > span.first) continue;
      boxes[k]?.push({
        row: index,
        startBit,
        bits: Math.max(0, endBit - startBit),
        isRest: line > span.first,
        goesOn: line < span.last,
      });
    }
  });
  return { boxes, between };
}

/** Returns the lane of each row. Inner and overlapping members are below the rows around them. */
export function lanesOf(rows: readonly MemberRow[]): Int32Array {
  const count = rows.length;
  // The struct itself is represented by the number `count`.
  const parents = parentsOf(rows);
  const isStacked = new Uint8Array(count);
  const ends = new Float64Array(count + 1);
  rows.forEach((row, i) => {
    const parent = parents[i] ?? count;
    if (row.bitOffset < (ends[parent] ?? 0)) isStacked[i] = 1;
    else ends[parent] = row.bitOffset + row.bitSize;
  });

  const sideBySide = new Int32Array(count + 1);
  const stacked = new Int32Array(count + 1);
  for (let i = count - 1; i >= 0; i--) {
    const parent = parents[i] ?? count;
    const height = 1 + (sideBySide[i] ?? 0) + (stacked[i] ?? 0);
    if (isStacked[i] === 1) stacked[parent] = (stacked[parent] ?? 0) + height;
    else sideBySide[parent] = Math.max(sideBySide[parent] ?? 0, height);
  }

  const lanes = new Int32Array(count + 1);
  lanes[count] = -1;
  const next = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) {
    const parent = parents[i] ?? count;
    lanes[i] = (lanes[parent] ?? 0) + 1;
    if (isStacked[i] !== 1) continue;
    lanes[i] = (lanes[i] ?? 0) + (sideBySide[parent] ?? 0) + (next[parent] ?? 0);
    next[parent] = (next[parent] ?? 0) + 1 + (sideBySide[i] ?? 0) + (stacked[i] ?? 0);
  }
  return lanes.subarray(0, count);
}

/** Returns the enclosing member's row for each row; the number of rows if there is none. */
function parentsOf(rows: readonly MemberRow[]): Int32Array {
  const open: number[] = [];
  return Int32Array.from(rows, (row, i) => {
    open.length = row.depth;
    const parent = open.at(-1) ?? rows.length;
    open.push(i);
    return parent;
  });
}

/** Returns the member to select for an arrow key, Home or End at row `from`, or null. */
export function memberAfterKey(
  scale: Scale,
  rows: readonly MemberRow[],
  from: number | null,
  key: string,
): number | null {
  const beside = (start: number, step: 1 | -1): number | null => {
    for (let i = start; i >= 0 && i < rows.length; i += step) {
      if (rows[i]?.kind === 'member' && scale.stripOfRow[i] !== -1) return i;
    }
    return null;
  };
  switch (key) {
    case 'Home':
      return beside(0, 1);
    case 'End':
      return beside(rows.length - 1, -1);
    case 'ArrowRight':
    case 'ArrowDown':
    case 'ArrowLeft':
    case 'ArrowUp':
      if (from === null || scale.stripOfRow[from] === -1) return beside(0, 1);
      if (key === 'ArrowRight') return beside(from + 1, 1);
      if (key === 'ArrowLeft') return beside(from - 1, -1);
      return memberAcross(scale, rows, from, key === 'ArrowDown' ? 1 : -1);
    default:
      return null;
  }
}

function memberAcross(
  { strips, stripOfRow, lineBytes }: Scale,
  rows: readonly MemberRow[],
  from: number,
  step: 1 | -1,
): number | null {
  const lineBits = 8 * lineBytes;
  const x = (rows[from]?.bitOffset ?? 0) % lineBits;
  for (let i = (stripOfRow[from] ?? 0) + step; i >= 0 && i < strips.length; i += step) {
    const strip = strips[i];
    if (strip?.kind !== 'bytes') continue;
    const box = boxAt(strip.boxes, 8 * strip.startByte + x);
    if (box !== null && box.row !== from && rows[box.row]?.kind === 'member') return box.row;
  }
  return null;
}

function boxAt(boxes: readonly ScaleBox[], bit: number): ScaleBox | null {
  return boxes.find(({ startBit, bits }) => startBit <= bit && bit < startBit + bits) ?? null;
}
