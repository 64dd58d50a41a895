/** The two files of a comparison, and the graph of their types. */
import { pairGraphOf } from '#analysis/compare/compare-types.ts';
import type { PairGraph } from '#analysis/compare/pair-graph.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';

/** One file of a comparison. */
export type CompareSide = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  readonly types: TypeTable;
};

const graphs = new WeakMap<TypeTable, WeakMap<TypeTable, PairGraph>>();

/** The graph of two tables: one for each pair, so that what is known of it is not worked out anew. */
export function graphOf(a: TypeTable, b: TypeTable): PairGraph {
  const ofA = graphs.get(a) ?? new WeakMap<TypeTable, PairGraph>();
  graphs.set(a, ofA);
  const graph = ofA.get(b) ?? pairGraphOf(a, b);
  ofA.set(b, graph);
  return graph;
}
