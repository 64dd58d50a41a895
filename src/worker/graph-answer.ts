/** The type graph, laid out, and who refers to a type of it. */

import { type GroupOfReferrers, groupedReferrers } from '#analysis/graph/referrers.ts';
import { type GraphPicture, type GraphRequest, layoutGraph } from '#analysis/graph/scene.ts';
import type { ReferrerIndex } from '#analysis/types/references.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

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
