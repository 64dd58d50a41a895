/** The graph of types: its drawing, who refers to a type, and paths with names to suggest for their ends. */

import { type GroupOfReferrers, groupedReferrers } from '#analysis/graph/referrers.ts';
import { type GraphPicture, type GraphRequest, layoutGraph } from '#analysis/graph/scene.ts';
import { askPaths, type PathsAnswer, type PathsQuestion } from '#analysis/paths/ask-paths.ts';
import {
  buildFieldNames,
  type FieldName,
  type FieldNames,
  suggestFields,
} from '#analysis/paths/field-names.ts';
import { buildPathIndex, type PathIndex } from '#analysis/paths/path-index.ts';
import type { ReferrerIndex } from '#analysis/types/references.ts';
import { oncePer } from '#bytes/keep.ts';
import { Slices } from '#bytes/slices.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type FieldsParams = { readonly typed: string; readonly limit: number };

type Known = { readonly index: PathIndex; fields: FieldNames | null };

const knownOf = oncePer((types: TypeTable): Known => {
  return { index: buildPathIndex(types), fields: null };
});

/** Answers unless a newer question has cancelled this one. Null where the file has no types. */
export async function pathsAnswer(
  types: TypeTable | null,
  question: PathsQuestion,
  signal: AbortSignal,
): Promise<PathsAnswer | null> {
  if (types === null) return null;
  // A cancel that came right behind the question is heard before the work begins.
  await new Slices(0, signal).rest();
  return askPaths(knownOf(types).index, question);
}

/** Member names for what is typed; none where the file has no types. */
export async function fieldsAnswer(
  types: TypeTable | null,
  { typed, limit }: FieldsParams,
  signal: AbortSignal,
): Promise<readonly FieldName[]> {
  if (types === null || typed.trim() === '') return [];
  await new Slices(0, signal).rest();
  const kept = knownOf(types);
  kept.fields ??= buildFieldNames(kept.index);
  return suggestFields(kept.index, kept.fields, typed, limit);
}

export type GraphReferrersParams = {
  readonly type: number;
  /** Ids for each group. */
  readonly limit: number;
};

/** The drawing that `request` asks for; null for a file without types. */
export function graphAnswer(types: TypeTable | null, request: GraphRequest): GraphPicture | null {
  return types === null ? null : layoutGraph(types, request);
}

/** Referrers by how they refer; none for a file without types. `index` makes the index when it is needed. */
export function graphReferrers(
  types: TypeTable | null,
  { type, limit }: GraphReferrersParams,
  index: (types: TypeTable) => ReferrerIndex,
): GroupOfReferrers[] {
  return types === null ? [] : groupedReferrers(types, index(types), typeId(type), limit);
}
