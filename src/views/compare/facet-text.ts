/** Counts of changes in words: `12 added, 3 removed, 40 moved`. */
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import { FACETS, type Facet } from '#analysis/compare/facets.ts';
import { grouped } from '#ui/grouped.ts';
import type { StatusTone } from '#ui/tone.ts';

/** How each group of changes is called: as a filter, and behind a count. */
export const FACET_NAMES = {
  size: { title: 'Size', word: 'size' },
  added: { title: 'Added', word: 'added' },
  removed: { title: 'Removed', word: 'removed' },
  renamed: { title: 'Renamed', word: 'renamed' },
  moved: { title: 'Moved', word: 'moved' },
  type: { title: 'Type', word: 'retyped' },
  value: { title: 'Value', word: 'values' },
  other: { title: 'Other', word: 'other' },
} as const satisfies Readonly<Record<Facet, { readonly title: string; readonly word: string }>>;

/** The groups that have some; `counts` in the order of `FACETS`. A size is one: it has no number. */
export function facetParts(counts: readonly number[]): readonly string[] {
  return FACETS.flatMap((facet, i) => {
    const count = counts[i] ?? 0;
    if (count === 0) return [];
    const { word } = FACET_NAMES[facet];
    return [facet === 'size' && count === 1 ? word : `${grouped(count)} ${word}`];
  });
}

/** Counts of changes: `+12`, `−3`, `~2` (changed in another way), `→40` (moved). */
export function facetSigns(counts: readonly number[]) {
  const of = (...facets: readonly Facet[]) =>
    facets.reduce((sum, facet) => sum + (counts[FACETS.indexOf(facet)] ?? 0), 0);
  const signs = [
    { sign: '+', count: of('added'), tone: 'ok' },
    { sign: '−', count: of('removed'), tone: 'danger' },
    { sign: '~', count: of('type', 'renamed', 'value', 'other'), tone: 'warning' },
    { sign: '→', count: of('moved'), tone: 'muted' },
  ] as const;
  return signs.filter(({ count }) => count > 0);
}

/** How the state of a type in a whole comparison is called and coloured. */
export const STATE_BADGES = {
  changed: { text: 'changed', tone: 'warning' },
  inside: { text: 'nested change', tone: 'info' },
  added: { text: 'added', tone: 'ok' },
  removed: { text: 'removed', tone: 'danger' },
} as const satisfies Readonly<
  Record<TypeState, { readonly text: string; readonly tone: StatusTone }>
>;
