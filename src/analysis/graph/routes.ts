/**
 * How the edges of a graph run. An edge leaves its box level with the row of its
 * member, bends in the channel between two columns, and passes boxes in the gap
 * between two shelves, never over them. Units as in measures.
 */
import { type Box, type Column, type Columns, columnSides, type Shelf } from './columns.ts';
import { BOX_WIDTH, lineInGap, rowY, SUB_GAP, shelfGap } from './measures.ts';

export type Direction = 'forward' | 'back' | 'level' | 'self';

/** Which way an edge runs, seen from the root. */
export function directionOf(from: Box, to: Box): Direction {
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
export function routeEdge(
  columns: Columns,
  from: Box,
  row: number,
  to: Box,
  stub: number,
): number[] {
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

/** From the row to the channel: where boxes stand in the way, through the gap under them. */
function leave(columns: Columns, box: Box, side: number, points: number[]): void {
  const column = columns.get(box.column);
  if (column === null || isAtEdge(box, side)) return;
  const { left, right } = columnSides(column);
  const y = box.shelf.y + box.shelf.height + lineInGap(box.sub);
  const x = side > 0 ? box.x + BOX_WIDTH + SUB_GAP - 4 : box.x - SUB_GAP + 4;
  points.push(x, y, side > 0 ? right : left, y);
}

/** From the channel to the box, through the gap over it where boxes stand in the way. */
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

/** To a box of the same column: back from the channel, at the right. */
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

/** Does no box stand between this one and that side of its column? */
export function isAtEdge(box: Box, side: number): boolean {
  return box.shelf.boxes.every((other) => (other.x - box.x) * side <= 0);
}

/** The height of the gap between two shelves, over them or under them, that is nearest to `y`. */
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

/** The height in the gap under shelf `index` that is nearest to `y`; -1 is over the first. */
function gapUnder(shelves: readonly Shelf[], index: number, y: number, half: number): number {
  const above = shelves[Math.max(-1, index)];
  const below = shelves[Math.max(-1, index) + 1];
  const top = above === undefined ? Number.NEGATIVE_INFINITY : above.y + above.height;
  const bottom = below?.y ?? Number.POSITIVE_INFINITY;
  const room = Math.min(half, (bottom - top) / 2);
  return Math.min(Math.max(y, top + room), bottom - room);
}
