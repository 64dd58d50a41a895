/** The edges of a graph in words. */
import type { GraphEdge } from '#analysis/neighbourhood.ts';
import { typeTitle } from '#analysis/type-name.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { edgeText } from './graph-model.ts';

const SHOWN = 4;

/** For each type that an edge leads to: `task_struct.mm *, task_struct.active_mm * and 3 more`. */
export function waysTo(types: TypeTable, edges: readonly GraphEdge[]): ReadonlyMap<TypeId, string> {
  const arriving = new Map<TypeId, GraphEdge[]>();
  for (const edge of edges) {
    const others = arriving.get(edge.to);
    if (others === undefined) arriving.set(edge.to, [edge]);
    else others.push(edge);
  }
  return new Map([...arriving].map(([to, all]) => [to, wordsOf(types, all)]));
}

function wordsOf(types: TypeTable, edges: readonly GraphEdge[]): string {
  const told = edges
    .slice(0, SHOWN)
    .map((edge) => `${visible(typeTitle(types, edge.from))}.${edgeText(edge)}`)
    .join(', ');
  return edges.length > SHOWN ? `${told} and ${edges.length - SHOWN} more` : told;
}
