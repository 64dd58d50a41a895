import { FACETS, type Facet } from '#analysis/compare/changes.ts';
import type { TypeState } from '#analysis/compare/compare-tables.ts';
import { paddingBytesOf } from '#analysis/types/struct-layout.ts';
import { counted } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import type { StatusTone } from '#ui/tone.ts';

/** Names of the kinds of change: `title` names a filter, `word` follows a number. */
export const FACET_NAMES = {
  size: { title: 'Size', word: 'size' },
  added: { title: 'Added', word: 'added' },
  removed: { title: 'Removed', word: 'removed' },
  renamed: { title: 'Replaced', word: 'replaced' },
  moved: { title: 'Moved', word: 'moved' },
  type: { title: 'Type', word: 'retyped' },
  value: { title: 'Value', word: 'values' },
  other: { title: 'Other', word: 'other' },
} as const satisfies Readonly<Record<Facet, { readonly title: string; readonly word: string }>>;

/** Returns a text for each count above 0. `counts` are in the order of `FACETS`. */
export function facetParts(counts: readonly number[]): readonly string[] {
  return FACETS.flatMap((facet, i) => {
    const count = counts[i] ?? 0;
    if (count === 0) return [];
    const { word } = FACET_NAMES[facet];
    return [facet === 'size' && count === 1 ? word : `${grouped(count)} ${word}`];
  });
}

/** Returns counts with signs: `+12` added, `−3` removed, `~2` changed, `→40` moved. */
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

/** Meanings of the signs, and of `nested change`. */
export const LEGEND: readonly (readonly [sign: string, meaning: string])[] = [
  ['+', 'lines added'],
  ['−', 'lines removed'],
  ['~', 'lines changed'],
  ['→', 'lines moved'],
  [
    'nested change',
    'its own lines are the same; a type that it contains has changed: see the column What',
  ],
];

/** Maximum number of members: larger structs are not searched for holes. */
const MAX_MEMBERS = 10_000;

/** Returns the padding of a struct in bytes; null for other kinds and very large structs. */
export function holeBytes(types: TypeTable, type: TypeId | null): number | null {
  if (type === null || memberCount(types, type) > MAX_MEMBERS) return null;
  const bytes = paddingBytesOf(types, type);
  return Number.isNaN(bytes) ? null : bytes;
}

/** Returns a size with whole bytes and remaining bits: `40`, `40 + 3 bits`, `1 bit`. */
function inColumn(bytes: number): string {
  const whole = Math.floor(bytes);
  if (whole === bytes) return grouped(bytes);
  const bits = counted(8 * (bytes - whole), 'bit');
  return whole === 0 ? bits : `${grouped(whole)} + ${bits}`;
}

/** Returns `77 → 61`, or one number for equal values. Empty if neither side has holes. */
export function holesText(
  before: number | null,
  after: number | null,
  written: (bytes: number) => string = inColumn,
): string {
  if ((before ?? 0) === 0 && (after ?? 0) === 0) return '';
  const text = (bytes: number | null) => (bytes === null ? '?' : written(bytes));
  if (before === null || after === null || before === after) return text(before ?? after);
  return `${text(before)} → ${text(after)}`;
}

/** Name and colour of each state that a type has in a comparison of files. */
export const STATE_BADGES = {
  changed: { text: 'changed', tone: 'warning' },
  inside: { text: 'nested change', tone: 'info' },
  added: { text: 'added', tone: 'ok' },
  removed: { text: 'removed', tone: 'danger' },
} as const satisfies Readonly<
  Record<TypeState, { readonly text: string; readonly tone: StatusTone }>
>;
