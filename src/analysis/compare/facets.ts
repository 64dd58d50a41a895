/** Eight groups of changes: moved, added … */
import { CHANGE_FACETS, type ChangeKind } from './changes.ts';
import type { TypeComparison } from './compare-types.ts';

export const FACETS = [
  'size',
  'added',
  'removed',
  'renamed',
  'moved',
  'type',
  'value',
  'other',
] as const;
export type Facet = (typeof FACETS)[number];

/** Returns the number of changes by group, in the order of `FACETS`. */
export function facetCounts({ head, lines }: TypeComparison): number[] {
  const counts = FACETS.map(() => 0);
  const count = (what: ChangeKind) => {
    const facet: Facet | null = CHANGE_FACETS[what];
    const at = facet === null ? -1 : FACETS.indexOf(facet);
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  };
  for (const { what } of head) count(what);
  for (const { changes } of lines) for (const { what } of changes) count(what);
  return counts;
}

/**
 * Returns the weight of a change, for sorting: one per differing line and fact.
 * Moves that a line above explains count as one together.
 */
export function changeWeight({ head, lines }: TypeComparison): number {
  let weight = head.length;
  let follows = 0;
  for (const { changes } of lines) {
    const own = changes.filter(({ what }) => what !== 'inside');
    if (own.some((change) => change.follows !== true)) weight++;
    else if (own.length > 0) follows = 1;
  }
  return weight + follows;
}
