/** The minimal BTF of this worker's file for another file's object. */
import { matchedSpecs } from '#analysis/core-needs/matched-specs.ts';
import { minBtf } from '#analysis/core-needs/min-btf.ts';
import type { Progress } from '#bytes/slices.ts';
import type { TypeTable } from '#model/type-table.ts';
import { coreTargetOf, type ResolveParams, resolveInSlices } from './core-answers.ts';

export type MinBtfAnswer = {
  readonly blob: Uint8Array<ArrayBuffer>;
  readonly typeCount: number;
  /** Members that were kept, of all structs and unions. */
  readonly memberCount: number;
  /** Records that lead somewhere in the target. */
  readonly matchedCount: number;
  /** Records that could not be decided, for which bpftool writes nothing at all. */
  readonly undecidedCount: number;
};

/** Resolves all records, and keeps what they lead to. Of split BTF the base is kept too: the answer stands alone. */
export async function minBtfFor(
  params: ResolveParams,
  name: string,
  types: TypeTable,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<MinBtfAnswer> {
  const target = coreTargetOf(name, types);
  const results = await resolveInSlices(params, target, signal, onProgress);
  // An id of the base means the same in the table that stands on it.
  const found = target.tables.map((_, table) => matchedSpecs(results, table));
  const specs = found.flatMap((one) => one.specs);
  const { blob, idMap, memberCount } = minBtf(types, specs);
  return {
    blob,
    typeCount: idMap.size,
    memberCount,
    matchedCount: specs.length,
    undecidedCount: found[0]?.undecided.length ?? 0,
  };
}
