/**
 * The types around one type, for the graph.
 *
 * Nodes are types that a person thinks of as things: structs, unions, enums,
 * typedefs of anonymous ones, forward declarations, functions. What stands
 * between two of them (pointers, arrays, modifiers, typedefs) is told on the
 * edge. Anonymous members belong to the struct around them. Scalars are not shown.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { follow } from './graph-way.ts';
import { type Reference, refersTo } from './references.ts';

export type GraphNode = {
  readonly type: TypeId;
  /** Steps from the root. */
  readonly depth: number;
};

export type GraphEdge = {
  readonly from: TypeId;
  readonly to: TypeId;
  /** The member, `outer.inner` inside anonymous ones; a parameter; else the role. Raw text. */
  readonly label: string;
  /** What was passed on the way, as C writes it: `* `, `[16] `, `const * `; empty for a plain value. */
  readonly via: string;
};

export type Neighbourhood = {
  /** Breadth first, the root first. */
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** Is there more within `depth` than `limit` let in? */
  readonly truncated: boolean;
};

const EDGES_PER_NODE = 16;

/** Types reached from `root` in at most `depth` steps: at most `limit` nodes and 16 times as many edges. */
export function neighbourhood(
  t: TypeTable,
  root: TypeId,
  depth: number,
  limit: number,
): Neighbourhood {
  const nodes: GraphNode[] = [{ type: root, depth: 0 }];
  const edges: GraphEdge[] = [];
  const known = new Set<TypeId>([root]);
  let truncated = false;
  for (const node of nodes) {
    if (node.depth >= depth) break;
    for (const edge of edgesFrom(t, node.type)) {
      if (edges.length >= limit * EDGES_PER_NODE) return { nodes, edges, truncated: true };
      if (!known.has(edge.to)) {
        if (nodes.length >= limit) {
          truncated = true;
          continue;
        }
        known.add(edge.to);
        nodes.push({ type: edge.to, depth: node.depth + 1 });
      }
      edges.push(edge);
    }
  }
  return { nodes, edges, truncated };
}

/** Anonymous structs put into the one around them; hostile files nest more than anyone reads. */
const MAX_INLINED = 4096;

type Level = { readonly references: Iterator<Reference, void, void>; readonly prefix: string };

function* edgesFrom(t: TypeTable, from: TypeId): Generator<GraphEdge, void, void> {
  const stack: Level[] = [{ references: refersTo(t, contentsOf(t, from)), prefix: '' }];
  const inlined = new Set<TypeId>();
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const { references, prefix } = level;
    const { value: reference, done } = references.next();
    if (done || reference === undefined) {
      stack.pop();
      continue;
    }
    if (reference.role === 'index') continue;
    const { to, via, behindPointer } = follow(t, reference.type);
    if (to === null) continue;
    const isProto = kindOf(t, to) === BtfKind.FUNC_PROTO;
    if (isProto || (!behindPointer && isAnonymous(t, to))) {
      // Callbacks among the members would bring in half the kernel: only a function shows its parameters.
      if ((isProto && reference.role !== 'type') || inlined.has(to)) continue;
      if (inlined.size >= MAX_INLINED) continue;
      inlined.add(to);
      const inner = reference.name === '' ? prefix : `${prefix}${reference.name}.`;
      stack.push({ references: refersTo(t, to), prefix: inner });
    } else {
      yield { from, to, label: prefix + labelOf(reference), via };
    }
  }
}

function labelOf({ name, role, index }: Reference): string {
  if (name !== '') return name;
  return role === 'param' ? `param ${index}` : role;
}

/** The type whose record tells what a node refers to: a typedef stands for its struct, a function for its prototype. */
function contentsOf(t: TypeTable, id: TypeId): TypeId {
  const kind = kindOf(t, id);
  if (kind === BtfKind.FUNC) return refOf(t, id) ?? VOID;
  if (kind !== BtfKind.TYPEDEF) return id;
  const target = skipModifiers(t, id);
  return isAnonymous(t, target) ? target : id;
}

function isAnonymous(t: TypeTable, id: TypeId): boolean {
  return isComposite(kindOf(t, id)) && nameOf(t, id) === '';
}

export type GraphPlace = {
  /** Column, counted from the root's. */
  readonly x: number;
  /** Row, 0 in the middle; whole or half numbers, one apart within a column. */
  readonly y: number;
};

/**
 * Breadth-first columns, each sorted once by the mean row of the neighbours in the
 * column before it (barycentre), so that most edges run level. In the order of
 * `nodes`; time grows with nodes and edges only.
 */
export function placeInColumns(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): GraphPlace[] {
  const indexOf = new Map(nodes.map((node, i) => [node.type, i]));
  const columns: number[][] = [];
  nodes.forEach((node, i) => {
    columns[node.depth] ??= [];
    columns[node.depth]?.push(i);
  });
  const sums = new Float64Array(nodes.length);
  const counts = new Uint32Array(nodes.length);
  const outgoing: number[][] = nodes.map(() => []);
  for (const edge of edges) {
    const from = indexOf.get(edge.from);
    const to = indexOf.get(edge.to);
    if (from === undefined || to === undefined) continue;
    if ((nodes[to]?.depth ?? 0) > (nodes[from]?.depth ?? 0)) outgoing[from]?.push(to);
  }
  const places: GraphPlace[] = nodes.map((node) => ({ x: node.depth, y: 0 }));
  columns.forEach((column, x) => {
    const pull = (i: number) => (counts[i] === 0 ? 0 : (sums[i] ?? 0) / (counts[i] ?? 1));
    column.sort((a, b) => pull(a) - pull(b) || a - b);
    column.forEach((i, row) => {
      const y = row - (column.length - 1) / 2;
      places[i] = { x, y };
      for (const to of outgoing[i] ?? []) {
        sums[to] = (sums[to] ?? 0) + y;
        counts[to] = (counts[to] ?? 0) + 1;
      }
    });
  });
  return places;
}
