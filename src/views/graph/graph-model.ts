/** The graph around a type, with the texts that its boxes and edges show. */
import { type GraphEdge, type GraphNode, neighbourhood } from '#analysis/neighbourhood.ts';
import { sizeOf } from '#analysis/sizes.ts';
import { typeTitle } from '#analysis/type-name.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { shortSize } from '#views/parts/type-size-text.ts';

export const DEPTHS = [1, 2, 3] as const;
export type Depth = (typeof DEPTHS)[number];

const NODE_LIMIT = 120;
/** A graph of two steps is drawn at first where it has no more types than this. */
const EASY = 24;

export type TypeGraph = {
  readonly root: TypeId;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly truncated: boolean;
};

/** The types within `depth` steps of `root`, as many as can be read. */
export function graphAround(types: TypeTable, root: TypeId, depth: Depth): TypeGraph {
  return { root, ...neighbourhood(types, root, depth, NODE_LIMIT) };
}

/** The depth to begin with: 2 where that stays easy to read, else 1. */
export function firstDepth(types: TypeTable, root: TypeId): Depth {
  const { nodes, truncated } = neighbourhood(types, root, 2, EASY);
  return truncated || nodes.length > EASY ? 1 : 2;
}

/** Is the type one of the graph's? */
export function hasNode(graph: TypeGraph, type: TypeId): boolean {
  return graph.nodes.some((node) => node.type === type);
}

/** A member by its number, with its name fit to be drawn. */
export type BoxRow = { readonly index: number; readonly name: string };

export type BoxText = {
  readonly kind: number;
  /** Fit to be drawn, as all texts here. */
  readonly name: string;
  /** Bytes; empty where the type has no size. */
  readonly size: string;
  /** Members; of many those that edges leave from. */
  readonly rows: readonly BoxRow[];
  /** Members without a row. */
  readonly rowsLeftOut: number;
};

/** What the box of a type says, with at most `rowLimit` members; `leaving` are the labels of its edges. */
export function boxText(
  types: TypeTable,
  type: TypeId,
  rowLimit: number,
  leaving: ReadonlySet<string>,
): BoxText {
  const composite = skipModifiers(types, type);
  const count = memberCount(types, composite);
  const rows = rowLimit === 0 ? [] : chooseRows(types, composite, count, rowLimit, leaving);
  return {
    kind: kindOf(types, type),
    name: visible(typeTitle(types, type)),
    size: shortSize(sizeOf(types, type)),
    rows,
    rowsLeftOut: rowLimit === 0 ? 0 : count - rows.length,
  };
}

/** A hostile struct has millions of members; those that are drawn are among the first. */
const MAX_LOOKED_AT = 4096;

function chooseRows(
  types: TypeTable,
  composite: TypeId,
  count: number,
  limit: number,
  leaving: ReadonlySet<string>,
): BoxRow[] {
  const names: string[] = [];
  for (let i = 0; i < Math.min(count, MAX_LOOKED_AT); i++) {
    names.push(memberAt(types, composite, i)?.name ?? '');
  }
  const linked = names.flatMap((name, i) => (leaving.has(name) ? [i] : [])).slice(0, limit);
  const chosen = new Set(linked);
  for (let i = 0; i < names.length && chosen.size < limit; i++) chosen.add(i);
  return names.flatMap((name, index) =>
    chosen.has(index) ? [{ index, name: visible(name) || '(anon)' }] : [],
  );
}

/** An edge's label and what it passes on its way: `mm *`, `pids [4]`. */
export function edgeText({ label, via }: GraphEdge): string {
  return visible(`${label} ${via}`.trim());
}
