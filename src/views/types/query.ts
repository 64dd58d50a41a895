/** The question that the list of types asks, and how its answer is told. */
import type { TypeOrder, TypeQuery } from '#analysis/find/type-search.ts';
import type { TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';

export const FIRST_QUERY: TypeQuery = { text: '', kinds: 0, order: 'id', descending: false };

/** Kinds from 31 on share the last bit, as in `TypeQuery`. */
const bitOf = (kind: number) => (1 << Math.min(kind, 31)) >>> 0;

/** Is this kind asked for by name? None is while the mask is 0, and then all are shown. */
export function isKindChosen(kinds: number, kind: number): boolean {
  return (kinds & bitOf(kind)) !== 0;
}

/** The mask with one kind more or less. */
export function toggleKind(kinds: number, kind: number): number {
  return (kinds ^ bitOf(kind)) >>> 0;
}

/** The query in another order: by size and by holes the largest come first, else the first. */
export function orderedBy(query: TypeQuery, order: TypeOrder): TypeQuery {
  return { ...query, order, descending: order === 'size' || order === 'holes' };
}

/** `126 572 types`, or `1 204 of 126 572` once something is left out. */
export function foundText(query: TypeQuery, found: number, total: number): string {
  const asksAll = query.text.trim() === '' && query.kinds === 0 && query.order !== 'holes';
  return asksAll ? countOf(total, 'type') : `${grouped(found)} of ${grouped(total)}`;
}

/** What was asked of the list of a file's types, so that it is still asked after a look at another view. */

const kept = new WeakMap<TypeTable, TypeQuery>();

/** The query last kept for these types, or the one that shows all. */
export function keptQuery(types: TypeTable): TypeQuery {
  return kept.get(types) ?? FIRST_QUERY;
}

/** Keeps it for as long as the file is open. */
export function keepQuery(types: TypeTable, query: TypeQuery): void {
  kept.set(types, query);
}
