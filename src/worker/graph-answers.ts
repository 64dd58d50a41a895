/** Paths through the graph of types, and suggestions for the names of their ends. */
import { askPaths, type PathsAnswer, type PathsQuestion } from '#analysis/paths/ask-paths.ts';
import {
  buildFieldNames,
  type FieldName,
  type FieldNames,
  suggestFields,
} from '#analysis/paths/field-names.ts';
import { buildPathIndex, type PathIndex } from '#analysis/paths/path-index.ts';
import { memoized } from '#bytes/cache.ts';
import { Slices } from '#bytes/long-work.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Methods } from './protocol.ts';

type Known = { readonly index: PathIndex; fields: FieldNames | null };

const knownOf = memoized(
  (types: TypeTable): Known => ({
    index: buildPathIndex(types),
    fields: null,
  }),
);

/** Searches for paths unless a newer request has cancelled this one. */
export async function pathsAnswer(
  types: TypeTable,
  question: PathsQuestion,
  signal: AbortSignal,
): Promise<PathsAnswer> {
  // Handles a cancel that came directly after the request before the search begins.
  await new Slices(0, signal).rest();
  return askPaths(knownOf(types).index, question);
}

/** Suggests member names for a typed text. */
export async function fieldsAnswer(
  types: TypeTable,
  { typed, limit }: Methods['fieldNames']['params'],
  signal: AbortSignal,
): Promise<readonly FieldName[]> {
  if (typed.trim() === '') return [];
  await new Slices(0, signal).rest();
  const kept = knownOf(types);
  kept.fields ??= buildFieldNames(kept.index);
  return suggestFields(kept.index, kept.fields, typed, limit);
}
