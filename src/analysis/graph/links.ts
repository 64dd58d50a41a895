/** Edges of a graph with labels and routes, as columns of numbers. */
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Box, type Column, type Columns, columnSides, type Shelf } from './columns.ts';
import type { GraphEntry } from './entries.ts';
import { chainText } from './graph-path.ts';
import type { GrownGraph } from './grow.ts';
import { BOX_WIDTH, lineInGap, rowY, SUB_GAP, shelfGap } from './measures.ts';

export const DIRECTIONS: readonly Direction[] = ['forward', 'back', 'level', 'self'];
const LINKS_PER_NODE = 16;

export type GraphLinks = {
  /** Indices of boxes. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Row of its start; one past the last for members without a row; -1 for the header. */
  readonly row: Int32Array;
  /** Number of members that it stands for. */
  readonly count: Uint32Array;
  /** Indices into `DIRECTIONS`. */
  readonly direction: Uint8Array;
  /** Passed types, or the members that it stands for; safe to draw. */
  readonly text: readonly string[];
  /** Passed types; empty if it stands for several members. */
  readonly chain: readonly (readonly number[])[];
  /** Corners of link `i` are `points[starts[i] .. starts[i + 1]]`, x and y in turn. */
  readonly starts: Uint32Array;
  readonly points: Float32Array;
};

/** An edge of the drawing before it has a route. */
export type Link = {
  readonly from: number;
  readonly to: number;
  readonly row: number;
  /** Is it for members without a row of their own? */
  readonly isShared: boolean;
  readonly entries: GraphEntry[];
};

/** Returns one link per row and target box; members without a row share one per target box. */
export function linksOf(
  graph: GrownGraph,
  boxes: readonly Box[],
  numbers: ReadonlyMap<TypeId, number>,
): { readonly links: Link[]; readonly truncated: boolean } {
  const links: Link[] = [];
  const most = LINKS_PER_NODE * Math.max(64, boxes.length);
  for (const [from, box] of boxes.entries()) {
    if (!graph.expanded.has(box.type) && !graph.referrers.has(box.type)) continue;
    const rowNumbers = new Map(graph.rowsOf(box.type).map((entry, row) => [entry, row]));
    const shared = new Map<number, Link>();
    for (const [number, entry] of graph.reader.entriesOf(box.type).entries()) {
      const to = entry.to === null ? undefined : numbers.get(entry.to);
      if (to === undefined) continue;
      const row = rowNumbers.get(number) ?? (box.limit === 0 ? -1 : rowNumbers.size);
      // A passed type shown as a node has no rows and one edge.
      const isShared = box.limit > 0 && !rowNumbers.has(number);
      const known = isShared ? shared.get(to) : undefined;
      if (known !== undefined) {
        known.entries.push(entry);
        continue;
      }
      if (links.length >= most) return { links, truncated: true };
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
  /** Returns the bends of edges that leave one side of a box. */
  readonly key: number;
  text: string;
  together: number;
};

const CHARACTER = 6.4;
const LEAST_STUB = 14;
/** Characters of a label that fit into a channel, and between two boxes of a column. */
const LABEL_LENGTH = 13;
const SHORT_LABEL = 8;

/** Returns the edges as columns, with labels and routes. */
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
    return [{ link, from, to, direction, text, key: side * (link.from + 1), together: 0 }];
  });
  tellTogether(drawn);
  // Edges of one box bend one below the other, after the longest of their labels.
  const stubs = new Map<number, number>();
  for (const { key, text } of drawn) {
    const width = text === '' ? LEAST_STUB : text.length * CHARACTER + LEAST_STUB;
    stubs.set(key, Math.max(stubs.get(key) ?? 0, width));
  }
  const starts = new Uint32Array(drawn.length + 1);
  const points: number[] = [];
  drawn.forEach(({ link, from, to, key }, i) => {
    const stub = stubs.get(key) ?? LEAST_STUB;
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

/** Edges of members without a row share a start, with one label for their number. */
function tellTogether(drawn: readonly Drawn[]): void {
  const first = new Map<number, Drawn>();
  for (const one of drawn) {
    if (!one.link.isShared) continue;
    const other = first.get(one.key);
    if (other === undefined) {
      first.set(one.key, one);
      one.together = one.link.entries.length;
      continue;
    }
    other.together += one.link.entries.length;
    other.text = `${other.together} members`;
    one.text = '';
  }
}

/** `const *`; with its name for a member that has no row; `3 members` for several of those. */
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

/**
 * How the edges of a graph run. An edge leaves its box level with the row of its
 * member, bends in the channel between two columns, and passes boxes in the gap
 * between two shelves, never over them. Units as in measures.
 */

export type Direction = 'forward' | 'back' | 'level' | 'self';

/** Directions of an edge, seen from the root. */
function directionOf(from: Box, to: Box): Direction {
  if (from === to) return 'self';
  if (from.column === to.column) return 'level';
  return to.column > from.column ? 'forward' : 'back';
}

const GATE = 18;
const BOW = 16;

/**
 * The corners of the edge, x and y in turn. Between two corners of one height it is
 * a straight line, between two of one x a bow to the right, else an S with level ends.
 * `stub` is the room that its label takes after the box.
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

/** Routes from the row to the channel, through the gap below boxes in the way. */
function leave(columns: Columns, box: Box, side: number, points: number[]): void {
  const column = columns.get(box.column);
  if (column === null || isAtEdge(box, side)) return;
  const { left, right } = columnSides(column);
  const y = box.shelf.y + box.shelf.height + lineInGap(box.sub);
  const x = side > 0 ? box.x + BOX_WIDTH + SUB_GAP - 4 : box.x - SUB_GAP + 4;
  points.push(x, y, side > 0 ? right : left, y);
}

/** Routes from the channel to the box, through the gap above it if boxes are in the way. */
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

/** Routes to a box of the same column, back from the channel at the right. */
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

/** Is there no box between this one and a side of its column? */
function isAtEdge(box: Box, side: number): boolean {
  return box.shelf.boxes.every((other) => (other.x - box.x) * side <= 0);
}

/** Returns the y of the gap between shelves that is nearest to `y`. */
function gapNear({ shelves, subs }: Column, y: number): number {
  const half = shelfGap(subs) / 2;
  let low = 0;
  let high = shelves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shelves[middle]?.y ?? 0) < y) low = middle + 1;
    else high = middle;
  }
  // The shelf over `y`, or that which `y` lies in: the gaps over and under it are the nearest.
  const upper = gapUnder(shelves, low - 2, y, half);
  const lower = gapUnder(shelves, low - 1, y, half);
  return Math.abs(upper - y) < Math.abs(lower - y) ? upper : lower;
}

/** Returns the y in the gap below shelf `index` that is nearest to `y`; -1 is the gap above the first. */
function gapUnder(shelves: readonly Shelf[], index: number, y: number, half: number): number {
  const above = shelves[Math.max(-1, index)];
  const below = shelves[Math.max(-1, index) + 1];
  const top = above === undefined ? Number.NEGATIVE_INFINITY : above.y + above.height;
  const bottom = below?.y ?? Number.POSITIVE_INFINITY;
  const room = Math.min(half, (bottom - top) / 2);
  return Math.min(Math.max(y, top + room), bottom - room);
}
