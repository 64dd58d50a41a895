import { useMemo } from 'react';
import { compareTypes, loneType, type TypeComparison } from '#analysis/compare/compare-types.ts';
import type { TypeId } from '#model/ids.ts';
import { type CompareSide, graphOf } from './compare-sides.ts';

/** The types that are compared; null where a side has none. */
export type ComparedPair = { readonly a: TypeId | null; readonly b: TypeId | null };

/** Two types in lock-step, or one of them alone; null where there is none. */
export function useComparison(
  before: CompareSide,
  after: CompareSide,
  { a, b }: ComparedPair,
): TypeComparison | null {
  return useMemo(() => {
    const graph = graphOf(before.types, after.types);
    if (a !== null && b !== null) return compareTypes(graph, a, b);
    if (a !== null) return loneType(graph, 'a', a);
    return b === null ? null : loneType(graph, 'b', b);
  }, [before.types, after.types, a, b]);
}
