/**
 * The drawing of a graph. Boxes and edges are columns of numbers, transferred from the worker;
 * texts are read on demand. For units see `measures.ts`; y grows downwards.
 *
 * Boxes get columns breadth-first, and places by one barycentre sweep: other layouts take seconds.
 */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { type BoxText, boxText } from './box-parts.ts';
import type { Box } from './columns.ts';
import { type Family, type Forced, graphReader, parseHidden } from './entries.ts';
import { type GraphAction, type GrownGraph, growGraph, parseOpen } from './grow.ts';
import { DIRECTIONS, type Direction, type GraphLinks, linksOf, packLinks } from './links.ts';
import { BOX_WIDTH } from './measures.ts';

export type GraphRequest = {
  /** Selected type: the root, unless `open` names another root whose graph contains the type. */
  readonly selected: number;
  /** Depth from 1 to 3; 0 to choose a depth by the size of the graph. */
  readonly depth: number;
  /** Parameters `open` and `hide` of the address, for `parseOpen` and `parseHidden`. */
  readonly open: string;
  readonly hide: string | null;
  /** Types on the path of an access string, to be expanded in this order. */
  readonly path: readonly number[];
  readonly forced: readonly Forced[];
};

/** States of a box: not expandable, folded, expanded. */
export const BOX_STATES = ['leaf', 'folded', 'expanded'] as const;

export type GraphPicture = {
  /** Request of the picture; its `open` is empty if the actions belonged to another root. */
  readonly request: GraphRequest;
  readonly root: TypeId;
  readonly depth: number;
  /** True if nodes or edges were omitted. */
  readonly truncated: boolean;
  readonly boxes: {
    readonly type: Uint32Array;
    readonly column: Int32Array;
    readonly x: Int32Array;
    readonly y: Int32Array;
    readonly height: Int32Array;
    /** Maximum number of rows of each box, for `rowsOf`. */
    readonly limit: Uint32Array;
    /** Index into `BOX_STATES` for each box. */
    readonly state: Uint8Array;
    /** For each box, the number of target nodes that are not shown. */
    readonly more: Uint32Array;
  };
  readonly links: GraphLinks;
  readonly bounds: Bounds;
};

export type Bounds = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

const MAX_NODES = 5000;
/** Maximum number of types of a graph that is first shown with depth 2. */
const MAX_DEEP_TYPES = 16;

/** Returns the layout for a request. Tests and benchmarks set `maxNodes`. */
export function layoutGraph(
  types: TypeTable,
  request: GraphRequest,
  maxNodes = MAX_NODES,
): GraphPicture {
  const actions = parseOpen(types, request.open);
  const selected = typeId(request.selected);
  const named = actions.find(({ verb }) => verb === 'root')?.type ?? selected;
  const picture = layoutFrom(types, named, actions, request, maxNodes);
  // A selected type outside of the graph becomes the root: the actions belong to another graph.
  if (named === selected || picture.boxes.type.includes(selected)) return picture;
  return layoutFrom(types, selected, [], { ...request, open: '' }, maxNodes);
}

function layoutFrom(
  types: TypeTable,
  root: TypeId,
  actions: readonly GraphAction[],
  request: GraphRequest,
  maxNodes: number,
): GraphPicture {
  const hidden = parseHidden(request.hide);
  const depth = request.depth >= 1 ? Math.min(3, request.depth) : firstDepth(types, root, hidden);
  const passed = request.path.map((id) => ({ verb: 'expand', type: typeId(id) }) as const);
  const graph = growGraph(types, {
    root,
    depth,
    hidden,
    actions: [...passed, ...actions],
    forced: request.forced,
    maxNodes,
  });
  return pictureOf(graph, request, root, depth);
}

/** Returns the depth of the first picture: 2 for a small graph, else 1. */
function firstDepth(types: TypeTable, root: TypeId, hidden: ReadonlySet<Family>): number {
  const reader = graphReader(types, hidden);
  const near = new Set<TypeId>([root]);
  for (const { to } of reader.entriesOf(root)) if (to !== null) near.add(to);
  const far = new Set(near);
  for (const id of near) {
    for (const { to } of reader.entriesOf(id)) if (to !== null) far.add(to);
    if (far.size > MAX_DEEP_TYPES) return 1;
  }
  return 2;
}

function pictureOf(
  graph: GrownGraph,
  request: GraphRequest,
  root: TypeId,
  depth: number,
): GraphPicture {
  const boxes = [...graph.boxes.values()];
  const numbers = new Map(boxes.map((box, i) => [box.type, i]));
  const states = boxes.map((box) => stateOf(graph, box, numbers));
  const { links, truncated } = linksOf(graph, boxes, numbers);
  return {
    request,
    root,
    depth,
    truncated: graph.truncated || truncated,
    boxes: {
      type: Uint32Array.from(boxes, (box) => box.type),
      column: Int32Array.from(boxes, (box) => box.column),
      x: Int32Array.from(boxes, (box) => box.x),
      y: Int32Array.from(boxes, (box) => box.shelf.y),
      height: Int32Array.from(boxes, (box) => box.height),
      limit: Uint32Array.from(boxes, (box) => box.limit),
      state: Uint8Array.from(states, ({ state }) => BOX_STATES.indexOf(state)),
      more: Uint32Array.from(states, ({ more }) => more),
    },
    links: packLinks(graph, boxes, links),
    bounds: boundsOf(boxes),
  };
}

type BoxState = { readonly state: (typeof BOX_STATES)[number]; readonly more: number };

function stateOf(graph: GrownGraph, box: Box, numbers: ReadonlyMap<TypeId, number>): BoxState {
  const hidden = new Set<TypeId>();
  let isLinked = false;
  for (const { to } of graph.reader.entriesOf(box.type)) {
    if (to === null) continue;
    isLinked = true;
    if (!numbers.has(to)) hidden.add(to);
  }
  if (graph.expanded.has(box.type)) {
    return { state: isLinked ? 'expanded' : 'leaf', more: hidden.size };
  }
  return { state: isLinked ? 'folded' : 'leaf', more: hidden.size };
}

function boundsOf(boxes: readonly Box[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, shelf, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, shelf.y);
    right = Math.max(right, x + BOX_WIDTH);
    bottom = Math.max(bottom, shelf.y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export type SceneBox = {
  readonly index: number;
  readonly type: TypeId;
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly state: (typeof BOX_STATES)[number];
  /** Number of target nodes that are not shown. */
  readonly more: number;
  readonly text: BoxText;
  readonly linkedRows: ReadonlySet<number>;
};

export type SceneLink = {
  readonly index: number;
  /** Index of the box at which the edge starts. */
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly count: number;
  readonly direction: Direction;
  readonly text: string;
  readonly chain: readonly TypeId[];
};

export type Scene = {
  readonly types: TypeTable;
  readonly picture: GraphPicture;
  readonly boxCount: number;
  readonly linkCount: number;
  readonly box: (index: number) => SceneBox;
  /** BTF_KIND_* of each box. */
  readonly kinds: Uint8Array;
  readonly link: (index: number) => SceneLink;
  /** Returns the index of the box of a type, or null. */
  readonly indexOf: (type: number) => number | null;
  /** Returns the indices of the edges of a box. */
  readonly linksFrom: (box: number) => readonly number[];
  readonly linksTo: (box: number) => readonly number[];
};

/** Returns the drawing of `picture` with texts, which are read from `types`. */
export function sceneOf(types: TypeTable, picture: GraphPicture): Scene {
  const { boxes, links, request } = picture;
  const reader = graphReader(types, parseHidden(request.hide));
  const numbers = new Map(Array.from(boxes.type, (type, i) => [type, i]));
  const from = grouped(links.from);
  const to = grouped(links.to);
  const cache = new Map<number, SceneBox>();
  const readBox = (index: number): SceneBox => {
    const type = typeId(boxes.type[index] ?? 0);
    const rows = (from.get(index) ?? []).map((link) => links.row[link] ?? -1);
    return {
      index,
      type,
      column: boxes.column[index] ?? 0,
      x: boxes.x[index] ?? 0,
      y: boxes.y[index] ?? 0,
      width: BOX_WIDTH,
      height: boxes.height[index] ?? 0,
      state: BOX_STATES[boxes.state[index] ?? 0] ?? 'leaf',
      more: boxes.more[index] ?? 0,
      text: boxText(reader, type, boxes.limit[index] ?? 0, request.forced),
      linkedRows: new Set(rows),
    };
  };
  return {
    types,
    picture,
    boxCount: boxes.type.length,
    linkCount: links.from.length,
    kinds: Uint8Array.from(boxes.type, (type) => kindOf(types, typeId(type))),
    box(index) {
      return getOrCreate(cache, index, () => readBox(index));
    },
    link: (index) => ({
      index,
      from: links.from[index] ?? 0,
      to: links.to[index] ?? 0,
      row: links.row[index] ?? -1,
      count: links.count[index] ?? 0,
      direction: DIRECTIONS[links.direction[index] ?? 0] ?? 'forward',
      text: links.text[index] ?? '',
      chain: (links.chain[index] ?? []).map((id) => typeId(id)),
    }),
    indexOf: (type) => numbers.get(type) ?? null,
    linksFrom: (box) => from.get(box) ?? [],
    linksTo: (box) => to.get(box) ?? [],
  };
}

function grouped(ends: Uint32Array): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [link, box] of ends.entries()) addTo(groups, box, link);
  return groups;
}
