/** The strip of the file map: the parts of the file, as many as can be pointed at. */

import { Derived, isRest, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type FilePart, filePartSteps, type PartList } from './file-parts.ts';
import type { Family } from './section-rows.ts';

/** A part as it is drawn: `shown` is its length without what earlier parts already cover. */
export type DrawnPart = FilePart & { readonly shown: number };

/** What is drawn of a file, found once for its model. */
export const drawnFile = new Derived(function* (model: ObjectModel): Steps<DrawnPart[]> {
  return yield* drawnSteps(yield* filePartSteps(model), model.size);
});

/** Parts that are drawn by themselves; the strip has room for twice as many and their neighbours. */
const LARGEST = 40;

/**
 * The parts of the strip. Alignment between sections is left out, parts that lie
 * inside others are not seen, and of many parts the small ones are drawn
 * together, so that each can be pointed at.
 */
export function* drawnSteps(parts: PartList, fileSize: number): Steps<DrawnPart[]> {
  const seen = yield* partsInSight(parts, fileSize);
  const most = seen.rows.length <= 2 * LARGEST ? seen.rows.length : LARGEST;
  const largest = yield* largestOf(seen.shown, most);
  const drawn: DrawnPart[] = [];
  let run: JoinedRun | null = null;
  const flush = () => {
    const part = run === null ? null : joinedPart(parts, run);
    if (part !== null) drawn.push(part);
    run = null;
  };
  for (let i = 0; i < seen.rows.length; i++) {
    if (isRest(i)) yield;
    const isLarge = largest.has(i);
    // A large part stands alone: it ends the run before it, and its own.
    if (isLarge) flush();
    run = joined(parts, run, seen.rows[i] ?? 0, seen.shown[i] ?? 0);
    if (isLarge) flush();
  }
  flush();
  return drawn;
}

type InSight = {
  /** Numbers of the parts. */
  readonly rows: Uint32Array;
  /** Bytes of each that no earlier part covers. */
  readonly shown: Float64Array;
};

function* partsInSight(parts: PartList, fileSize: number): Steps<InSight> {
  const rows = new Uint32Array(parts.length);
  const shown = new Float64Array(parts.length);
  const leastGap = Math.max(16, fileSize / 500);
  let count = 0;
  let reached = 0;
  for (let row = 0; row < parts.length; row++) {
    if (isRest(row)) yield;
    const end = parts.endOf(row);
    const length = end - Math.max(parts.startOf(row), reached);
    reached = Math.max(reached, end);
    if (length <= 0 || (length < leastGap && parts.isGap(row))) continue;
    rows[count] = row;
    shown[count++] = length;
  }
  return { rows: rows.subarray(0, count), shown: shown.subarray(0, count) };
}

/** Positions of the `most` largest lengths, of equal ones the first. */
function* largestOf(lengths: Float64Array, most: number): Steps<ReadonlySet<number>> {
  const found: number[] = [];
  for (let i = 0; i < lengths.length; i++) {
    if (isRest(i)) yield;
    const length = lengths[i] ?? 0;
    if (found.length === most && length <= (lengths[found.at(-1) ?? 0] ?? 0)) continue;
    let at = found.length;
    while (at > 0 && (lengths[found[at - 1] ?? 0] ?? 0) < length) at--;
    found.splice(at, 0, i);
    if (found.length > most) found.pop();
  }
  return new Set(found);
}

/** Neighbours that are drawn as one; or a part by itself. */
type JoinedRun = {
  /** Number of its first part. */
  readonly first: number;
  readonly end: number;
  /** null = several. */
  readonly family: Family | null;
  readonly count: number;
  readonly shown: number;
};

/** The run with one more part, or a new one with it. */
function joined(parts: PartList, run: JoinedRun | null, row: number, shown: number): JoinedRun {
  const [end, family] = [parts.endOf(row), parts.familyOf(row)];
  if (run === null) return { first: row, end, family, count: 1, shown };
  return {
    first: run.first,
    end: Math.max(run.end, end),
    family: run.family === family ? family : null,
    count: run.count + 1,
    shown: run.shown + shown,
  };
}

function joinedPart(parts: PartList, run: JoinedRun): DrawnPart | null {
  const { end, family, count, shown } = run;
  const first = parts.at(run.first);
  if (first === undefined) return null;
  if (count === 1) return { ...first, shown };
  return {
    start: first.start,
    end,
    family: family ?? 'other',
    label: `${count} small parts`,
    section: null,
    merged: count,
    shown,
  };
}

/** Bytes of the file in each family, in the order of the families as they first occur. */
export function familySizes(parts: readonly DrawnPart[]): { family: Family; size: number }[] {
  const sizes = new Map<Family, number>();
  for (const { family, shown } of parts) sizes.set(family, (sizes.get(family) ?? 0) + shown);
  return [...sizes].map(([family, size]) => ({ family, size }));
}

/** The drawn part that holds the byte at `fileOffset`; -1 when none does. */
export function partAt(parts: readonly DrawnPart[], fileOffset: number): number {
  return parts.findIndex((part) => fileOffset >= part.start && fileOffset < part.end);
}
