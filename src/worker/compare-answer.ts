/** Comparing this worker's file with other types, and its own types with each other. */
import { compareTables, type WholeComparison } from '#analysis/compare/compare-tables.ts';
import { type DuplicateGroup, duplicateTypes } from '#analysis/compare/duplicates.ts';
import { type Progress, Slices } from '#bytes/slices.ts';
import type { TypeTable } from '#model/type-table.ts';

/** The other side: its types, which are copied. */
export type CompareParams = { readonly other: TypeTable };

type Context = {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** Milliseconds of work between two looks at what else is asked. */
const SLICE_MS = 40;

/** All types of both, `types` before and `other` after. */
export function wholeComparison(
  types: TypeTable,
  { other }: CompareParams,
  context: Context,
): Promise<WholeComparison> {
  return inSlices(compareTables(types, other), context);
}

/** Types of one name, and why they are not one. */
export function duplicatesOf(
  types: TypeTable,
  context: Context,
): Promise<readonly DuplicateGroup[]> {
  return inSlices(duplicateTypes(types), context);
}

async function inSlices<T>(
  work: Generator<Progress, T, void>,
  { signal, onProgress }: Context,
): Promise<T> {
  const slices = new Slices(SLICE_MS, signal);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!slices.isOver) continue;
    onProgress(step.value);
    await slices.rest();
  }
}
