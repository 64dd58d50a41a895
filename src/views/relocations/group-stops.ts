/** Walking the stops of a group: where one is, what is before and behind. */
import type { GroupStop } from '#analysis/objects/relocation-facts.ts';
import type { RelocIndex } from '#model/ids.ts';
import { type Selection, sameSelection } from '#model/selection.ts';

/** The stop that is selected itself, else the first of the entry; -1 where the group has none of it. */
export function stopOfSelection(
  stops: readonly GroupStop[],
  selection: Selection,
  reloc: RelocIndex,
): number {
  const exact = stops.findIndex((stop) => sameSelection(stop.selection, selection));
  return exact >= 0 ? exact : stops.findIndex((stop) => stop.reloc === reloc);
}

/** No group that a compiler writes has more; of larger ones a part around the current stop is drawn. */
const MOST_SHOWN = 24;

/** The numbers of the stops to draw, `start` to `end` (exclusive). */
export function shownStops(count: number, current: number): { start: number; end: number } {
  if (count <= MOST_SHOWN) return { start: 0, end: count };
  const half = MOST_SHOWN / 2;
  const start = Math.max(0, Math.min(current - half, count - MOST_SHOWN));
  return { start, end: start + MOST_SHOWN };
}
