/** Which sections have bytes in a range of the file. */
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { SectionTable } from '#model/sections.ts';

type Places = {
  /** Sections with bytes, by where they begin. */
  readonly order: Uint32Array;
  /** The furthest end among `order[0]` to `order[i]`: sections may overlap. */
  readonly reach: Float64Array;
};

const known = new WeakMap<SectionTable, Places>();

/** Sections that have bytes between `start` and `end` (file offsets, end exclusive), by where they begin. */
export function sectionsInRange(
  sections: SectionTable,
  start: number,
  end: number,
): SectionIndex[] {
  const { order, reach } = placesOf(sections);
  const found: SectionIndex[] = [];
  for (let i = firstAbove(reach, start); i < order.length; i++) {
    const section = order[i] ?? 0;
    const from = sections.fileOffset[section] ?? 0;
    if (from >= end) break;
    if (from + (sections.byteLength[section] ?? 0) > start) found.push(sectionIndex(section));
  }
  return found;
}

function placesOf(sections: SectionTable): Places {
  let places = known.get(sections);
  if (places === undefined) {
    const { fileOffset, byteLength } = sections;
    const order = Uint32Array.from({ length: sections.count }, (_, i) => i)
      .filter((i) => (byteLength[i] ?? 0) > 0)
      .sort((a, b) => (fileOffset[a] ?? 0) - (fileOffset[b] ?? 0) || a - b);
    const reach = new Float64Array(order.length);
    let furthest = 0;
    for (const [i, section] of order.entries()) {
      furthest = Math.max(furthest, (fileOffset[section] ?? 0) + (byteLength[section] ?? 0));
      reach[i] = furthest;
    }
    places = { order, reach };
    known.set(sections, places);
  }
  return places;
}

/** Index of the first value above `limit`; `values` never fall. */
function firstAbove(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
