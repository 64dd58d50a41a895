/** Edges of a graph with labels and routes, as columns of numbers. */
import { getOrCreate } from '#bytes/cache.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Box, type Column, type Columns, columnSides, type Shelf } from './columns.ts';
import type { GraphEntry } from './entries.ts';
import { chainText } from './graph-path.ts';
import type { GrownGraph } from './grow.ts';
import { BOX_WIDTH, lineInGap, rowY, SUB_GAP, shelfGap } from './measures.ts';

export const DIRECTIONS: readonly Direction[] = ['forward', 'back', 'level', 'self'];
const MAX_LINKS_PER_NODE = 16;

export type GraphLinks = {
  /** Index of the box at which each edge starts. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Row at which each edge starts: -1 for the header; after the last row if members have none. */
  readonly row: Int32Array;
  /** Number of members that each edge stands for. */
  readonly count: Uint32Array;
  /** Index into `DIRECTIONS` for each edge. */
  readonly direction: Uint8Array;
  /** Label of each edge: the passed types or a number of members; safe to draw. */
  readonly text: readonly string[];
  /** Types that each edge passes through; empty for an edge of several members. */
  readonly chain: readonly (readonly number[])[];
  /** Corners of edge `i` are `points[starts[i] .. starts[i + 1]]`: x and y alternate. */
  readonly starts: Uint32Array;
  readonly points: Float32Array;
};

/** An edge of the drawing that has no route yet. */
export type Link = {
  readonly from: number;
  readonly to: number;
  readonly row: number;
  /** True if the edge stands for members without a row. */
  readonly isShared: boolean;
  readonly entries: GraphEntry[];
};

/** Returns one edge per row and target box. Members without a row share one edge per target box. */
export function linksOf(
  graph: GrownGraph,
  boxes: readonly Box[],
  numbers: ReadonlyMap<TypeId, number>,
): { readonly links: Link[]; readonly truncated: boolean } {
  const links: Link[] = [];
  const maxLinks = MAX_LINKS_PER_NODE * Math.max(64, boxes.length);
  for (const [from, box] of boxes.entries()) {
    if (!graph.expanded.has(box.type) && !graph.referrers.has(box.type)) continue;
    const rowNumbers = new Map(graph.rowsOf(box.type).map((entry, row) => [entry, row]));
    const shared = new Map<number, Link>();
    for (const [number, entry] of graph.reader.entriesOf(box.type).entries()) {
      const to = entry.to === null ? undefined : numbers.get(entry.to);
      if (to === undefined) continue;
      const row = rowNumbers.get(number) ?? (box.limit === 0 ? -1 : rowNumbers.size);
      // A passed type that is shown as a node has no rows and one edge.
      const isShared = box.limit > 0 && !rowNumbers.has(number);
      const known = isShared ? shared.get(to) : undefined;
      if (known !== undefined) {
        known.entries.push(entry);
        continue;
      }
      if (links.length >= maxLinks) return { links, truncated: true };
      const link = { from, to, row, isShared, entries: [entry] };
      if (isShared) shared.set(to, link);
      links.push(link);
    }
  }
  return { links, truncated: false };
}

type Drawn = {
  readonly link: Link;
  readonly from: Box;
  readonly to: Box;
  readonly direction: Direction;
  /** Key of all edges that leave the same side of a box. */
  readonly key: number;
  text: string;
  /** Number of members of all shared edges with this key. */
  sharedCount: number;
};

const CHARACTER = 6.4;
const MIN_STUB = 14;
/** Maximum characters of a label in a channel. Labels between two boxes of a column are shorter. */
const LABEL_LENGTH = 13;
const SHORT_LABEL = 8;

/** Returns the edges in the form of columns of numbers, with labels and routes. */
export function packLinks(
  graph: GrownGraph,
  boxes: readonly Box[],
  links: readonly Link[],
): GraphLinks {
  const { types } = graph.reader;
  const drawn = links.flatMap((link): Drawn[] => {
    const from = boxes[link.from];
    const to = boxes[link.to];
    if (from === undefined || to === undefined) return [];
    const direction = directionOf(from, to);
    const side = direction === 'back' ? -1 : 1;
    const text = labelOf(types, link, isAtEdge(from, side) ? LABEL_LENGTH : SHORT_LABEL);
    return [{ link, from, to, direction, text, key: side * (link.from + 1), sharedCount: 0 }];
  });
  labelSharedEdges(drawn);
  // Edges on one side of a box bend at the same x, after the longest of their labels.
  const stubs = new Map<number, number>();
  for (const { key, text } of drawn) {
    const width = text === '' ? MIN_STUB : text.length * CHARACTER + MIN_STUB;
    stubs.set(key, Math.max(stubs.get(key) ?? 0, width));
  }
  const starts = new Uint32Array(drawn.length + 1);
  const points: number[] = [];
  drawn.forEach(({ link, from, to, key }, i) => {
    const stub = stubs.get(key) ?? MIN_STUB;
    for (const value of routeEdge(graph.columns, from, link.row, to, stub)) points.push(value);
    starts[i + 1] = points.length;
  });
  return {
    from: Uint32Array.from(drawn, ({ link }) => link.from),
    to: Uint32Array.from(drawn, ({ link }) => link.to),
    row: Int32Array.from(drawn, ({ link }) => link.row),
    count: Uint32Array.from(drawn, ({ link }) => link.entries.length),
    direction: Uint8Array.from(drawn, ({ direction }) => DIRECTIONS.indexOf(direction)),
    text: drawn.map(({ text }) => text),
    chain: drawn.map(({ link: { entries } }) =>
      entries.length === 1 ? [...(entries[0]?.chain ?? [])] : [],
    ),
    starts,
    points: Float32Array.from(points),
  };
}

/** Gives the edges of members without a row one common label, since they start at one point. */
function labelSharedEdges(drawn: readonly Drawn[]): void {
  const firsts = new Map<number, Drawn>();
  for (const edge of drawn) {
    if (!edge.link.isShared) continue;
    const first = getOrCreate(firsts, edge.key, () => edge);
    first.sharedCount += edge.link.entries.length;
    if (first === edge) continue;
    first.text = `${first.sharedCount} members`;
    edge.text = '';
  }
}

/** Returns the label of an edge: the passed types (`const *`), or a number of members. */
function labelOf(types: TypeTable, { entries, isShared }: Link, length: number): string {
  const [entry] = entries;
  if (entry === undefined) return '';
  if (entries.length > 1) return cut(`${entries.length} members`, length);
  const via = chainText(types, entry.chain);
  return cut(visible(isShared ? `${entry.name} ${via}`.trim() : via), length);
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Direction of an edge, as seen from the root. */
export type Direction = 'forward' | 'back' | 'level' | 'self';

function directionOf(from: Box, to: Box): Direction {
  if (from === to) return 'self';
  if (from.column === to.column) return 'level';
  return to.column > from.column ? 'forward' : 'back';
}

const GATE = 18;
const BOW = 16;

/**
 * Returns the corners of an edge; x and y alternate. The edge starts level with its row, bends in
 * the channels, and passes boxes in the gaps between shelves. Corners with equal y are joined by a
 * line, with equal x by a bow to the right, others by an S. `stub` is the space for the label.
 */
function routeEdge(columns: Columns, from: Box, row: number, to: Box, stub: number): number[] {
  const direction = directionOf(from, to);
  const side = direction === 'back' ? -1 : 1;
  const y = rowY(from.shelf.y, row);
  const start = side > 0 ? from.x + BOX_WIDTH : from.x;
  const points = [start, y, start + side * stub, y];
  const goalY = rowY(to.shelf.y, -1);
  if (direction === 'self') {
    return [...points, start + stub, goalY, start, goalY];
  }
  leave(columns, from, side, points);
  if (direction === 'level') {
    arriveLevel(columns, from, to, points);
    return points;
  }
  for (let number = from.column + side; number !== to.column; number += side) {
    const column = columns.get(number);
    if (column !== null) passColumn(column, side, goalY, points);
  }
  arrive(columns, to, side, points);
  return points;
}

/** Adds the route from the row to the channel, through the gap below boxes in the way. */
function leave(columns: Columns, box: Box, side: number, points: number[]): void {
  const column = columns.get(box.column);
  if (column === null || isAtEdge(box, side)) return;
  const { left, right } = columnSides(column);
  const y = box.shelf.y + box.shelf.height + lineInGap(box.sub);
  const x = side > 0 ? box.x + BOX_WIDTH + SUB_GAP - 4 : box.x - SUB_GAP + 4;
  points.push(x, y, side > 0 ? right : left, y);
}

/** Adds the route from the channel to the box, through the gap above boxes in the way. */
function arrive(columns: Columns, box: Box, side: number, points: number[]): void {
  const goal = side > 0 ? box.x : box.x + BOX_WIDTH;
  const y = rowY(box.shelf.y, -1);
  const column = columns.get(box.column);
  if (column !== null && !isAtEdge(box, -side)) {
    const { left, right } = columnSides(column);
    const gapY = box.shelf.y - lineInGap(box.sub);
    points.push(side > 0 ? left : right, gapY, goal - side * (SUB_GAP - 4), gapY);
  }
  points.push(goal - side * GATE, y, goal, y);
}

/** Adds the route to a box of the same column, from the channel at the right. */
function arriveLevel(columns: Columns, from: Box, to: Box, points: number[]): void {
  const column = columns.get(to.column);
  const goalY = rowY(to.shelf.y, -1);
  const goal = to.x + BOX_WIDTH;
  if (column === null) return;
  const { right } = columnSides(column);
  const lastX = points.at(-2) ?? right;
  const lastY = points.at(-1) ?? goalY;
  const x = Math.max(lastX, right + BOW);
  points.push(x, lastY);
  if (isAtEdge(to, 1)) {
    points.push(x, goalY, goal, goalY);
    return;
  }
  const gapY = to.shelf.y - lineInGap(to.sub + (from.sub > to.sub ? 1 : 0));
  points.push(x, gapY, goal + SUB_GAP - 4, gapY, goal + GATE, goalY, goal, goalY);
}

function passColumn(column: Column, side: number, goalY: number, points: number[]): void {
  const { left, right } = columnSides(column);
  const y = gapNear(column, ((points.at(-1) ?? goalY) + goalY) / 2);
  points.push(side > 0 ? left : right, y, side > 0 ? right : left, y);
}

/** Returns true if no box is between `box` and the side of its column (-1 left, 1 right). */
function isAtEdge(box: Box, side: number): boolean {
  return box.shelf.boxes.every(({ x }) => (x - box.x) * side <= 0);
}

/** Returns the y in a gap between shelves that is nearest to `y`. */
function gapNear({ shelves, subs }: Column, y: number): number {
  const half = shelfGap(subs) / 2;
  let low = 0;
  let high = shelves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shelves[middle]?.y ?? 0) < y) low = middle + 1;
    else high = middle;
  }
  // The nearest gaps are above and below the shelf that covers or precedes `y`.
  const upper = gapUnder(shelves, low - 2, y, half);
  const lower = gapUnder(shelves, low - 1, y, half);
  return Math.abs(upper - y) < Math.abs(lower - y) ? upper : lower;
}

/** Returns the y nearest to `y` in the gap below shelf `index`; index -1 is the topmost gap. */
function gapUnder(shelves: readonly Shelf[], index: number, y: number, half: number): number {
  const above = shelves[Math.max(-1, index)];
  const below = shelves[Math.max(-1, index) + 1];
  const top = above === undefined ? Number.NEGATIVE_INFINITY : above.y + above.height;
  const bottom = below?.y ?? Number.POSITIVE_INFINITY;
  const room = Math.min(half, (bottom - top) / 2);
  return Math.min(Math.max(y, top + room), bottom - room);
}
