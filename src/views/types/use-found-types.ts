/** The types that pass a filter, by the file's worker; all of them, which need no search, at once. */
import { useMemo } from 'react';
import { allTypes, type TypeQuery } from '#analysis/find/type-search.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Answer, useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';

/** Ids of own types of the file, in the order of `query`. Keep the identity of `query` while it stays the same. */
export function useFoundTypes(
  fileId: FileId,
  types: TypeTable,
  query: TypeQuery,
): Answer<Uint32Array> {
  const all = useMemo(() => allTypes(types, query), [types, query]);
  return useAnswer(fileId, 'searchTypes', query, all);
}
