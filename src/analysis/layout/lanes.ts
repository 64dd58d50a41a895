/** Lanes: how deep under the uppermost members a row is drawn. */
import type { MemberRow } from './member-rows.ts';

/**
 * The lane of each row, 0 the uppermost. What is in a member lies under it. Of
 * members that begin before the end of one before them, as all of a union but its
 * first, each has lanes of its own under those of the others.
 */
export function lanesOf(rows: readonly MemberRow[]): Int32Array {
  const count = rows.length;
  // Number `count` stands for the struct itself.
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

/** By row the row of the member that it is in; the number of rows for the uppermost. */
function parentsOf(rows: readonly MemberRow[]): Int32Array {
  const open: number[] = [];
  return Int32Array.from(rows, (row, i) => {
    open.length = row.depth;
    const parent = open.at(-1) ?? rows.length;
    open.push(i);
    return parent;
  });
}
