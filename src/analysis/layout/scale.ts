/**
 * A struct drawn to scale: lines of so many bytes, and in a line lanes one under
 * the other where members lie on the same bytes: the members of a union, and a
 * struct that is unfolded with its own members under it.
 *
 * Of lines in which nothing begins or ends only a few are drawn, so that there
 * are never many more of them than members, however large the struct is.
 */

import { lowerBound } from '#bytes/binary-search.ts';
import { lanesOf } from './lanes.ts';
import type { MemberRow } from './member-rows.ts';

/** The part of a row that lies on one line. */
export type ScaleBox = {
  /** Number of the row. */
  readonly row: number;
  /** From the start of the struct. */
  readonly startBit: number;
  /** 0 for what takes no room. */
  readonly bits: number;
  /** Does it begin on a line before? */
  readonly isRest: boolean;
  /** Does it go on behind the line? */
  readonly goesOn: boolean;
};

export type ScaleStrip =
  | {
      readonly kind: 'bytes';
      readonly startByte: number;
      /** Number of the lane in its line, and how many that line has. */
      readonly lane: number;
      readonly lanes: number;
      /** By place, none over another. */
      readonly boxes: readonly ScaleBox[];
    }
  | {
      readonly kind: 'left-out';
      readonly startByte: number;
      readonly endByte: number;
      /** The innermost row that has all of these bytes; null where several share them. */
      readonly row: number | null;
    };

export type Scale = {
  readonly lineBytes: number;
  readonly strips: readonly ScaleStrip[];
  /** By row: the strip in which it begins; -1 where it is not drawn. */
  readonly stripOfRow: Int32Array;
  /** Is more than can be drawn left out at the end? Only with members that overlap by the thousand. */
  readonly isCut: boolean;
};

const MAX_BOXES = 300_000;
/** Lines without a beginning or an end are drawn where there are up to so many of them. */
const MAX_QUIET = 2;

/**
 * The drawing of `rows`, of a struct of `sizeBytes`, in lines of `lineBytes`. With
 * `onlyHoles` only of lines that have a hole or padding.
 */
export function drawToScale(
  rows: readonly MemberRow[],
  sizeBytes: number,
  lineBytes: number,
  onlyHoles: boolean,
): Scale {
  const spans = spansOnLines(rows, sizeBytes, lineBytes);
  return drawing(rows, spans, lineBytes, drawnLines(rows, spans, onlyHoles));
}

/** The drawing of the lines with the numbers `wanted`, rising. */
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
  const found = boxesOf(rows, spans, lines, 8 * lineBytes);
  const lanes = lanesOf(rows);
  const strips: ScaleStrip[] = [];
  const stripOfRow = new Int32Array(rows.length).fill(-1);
  lines.forEach((line, k) => {
    const byLane = new Map<number, ScaleBox[]>();
    for (const box of found.boxes[k] ?? []) {
      const lane = lanes[box.row] ?? 0;
      const others = byLane.get(lane);
      if (others === undefined) byLane.set(lane, [box]);
      else others.push(box);
    }
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
    const row = found.between[k] ?? null;
    strips.push({
      kind: 'left-out',
      startByte: (line + 1) * lineBytes,
      endByte: end * lineBytes,
      row,
    });
  });
  return { lineBytes, strips, stripOfRow, isCut };
}

type LineSpan = {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
};

function spansOnLines(
  rows: readonly MemberRow[],
  sizeBytes: number,
  lineBytes: number,
): (LineSpan | null)[] {
  return rows.map((row) => spanOnLines(row, 8 * sizeBytes, 8 * lineBytes));
}

/** Null for what begins behind the end of the struct. */
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

/** The lines up to where there would be too many boxes; the first always. */
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
  /** Between a drawn line and the next: the innermost row that goes on over all of it. */
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
      // Of an unfolded member the bar goes without saying where its own members fill the line.
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
