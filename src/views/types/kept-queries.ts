/** What was asked of the list of a file's types, so that it is still asked after a look at another view. */
import type { TypeQuery } from '#analysis/find/type-search.ts';
import type { TypeTable } from '#model/type-table.ts';
import { FIRST_QUERY } from './query.ts';

const kept = new WeakMap<TypeTable, TypeQuery>();

/** The query last kept for these types, or the one that shows all. */
export function keptQuery(types: TypeTable): TypeQuery {
  return kept.get(types) ?? FIRST_QUERY;
}

/** Keeps it for as long as the file is open. */
export function keepQuery(types: TypeTable, query: TypeQuery): void {
  kept.set(types, query);
}
