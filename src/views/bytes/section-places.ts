import { upperBound } from '#bytes/arrays.ts';
import { Derived, isRest, type Run, type Steps, sortSteps } from '#bytes/long-work.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { SectionTable } from '#model/sections.ts';

type Places = {
  /** Sections with bytes, by file offset. */
  readonly order: Uint32Array;
  /** Largest end among `order[0]` to `order[i]`: sections can overlap. */
  readonly reach: Float64Array;
};

const places = new Derived(placeSteps);

/** Work that `sectionsInRange` needs: it visits all sections. */
export function sectionPlacesRun(sections: SectionTable): Run<unknown> {
  return places.runOf(sections);
}

/** Returns sections with bytes between `start` and `end` (file offsets), by file offset. */
export function sectionsInRange(
  sections: SectionTable,
  start: number,
  end: number,
): SectionIndex[] {
  const { order, reach } = places.of(sections);
  const overlapping: SectionIndex[] = [];
  for (let i = upperBound(reach, start); i < order.length; i++) {
    const section = order[i] ?? 0;
    const from = sections.fileOffset[section] ?? 0;
    if (from >= end) break;
    if (from + (sections.byteLength[section] ?? 0) > start) overlapping.push(sectionIndex(section));
  }
  return overlapping;
}

function* placeSteps({ count, fileOffset, byteLength }: SectionTable): Steps<Places> {
  const withBytes = new Uint32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    if (isRest(i)) yield;
    if ((byteLength[i] ?? 0) > 0) withBytes[length++] = i;
  }
  const order = yield* sortSteps(
    withBytes.slice(0, length),
    (a, b) => (fileOffset[a] ?? 0) - (fileOffset[b] ?? 0),
  );
  const reach = new Float64Array(length);
  let furthest = 0;
  for (let i = 0; i < length; i++) {
    if (isRest(i)) yield;
    const section = order[i] ?? 0;
    furthest = Math.max(furthest, (fileOffset[section] ?? 0) + (byteLength[section] ?? 0));
    reach[i] = furthest;
  }
  return { order, reach };
}
