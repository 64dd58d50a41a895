/** How the edges of a graph run between its boxes. Units as in graph-boxes. */
import type { GraphEdge } from '#analysis/neighbourhood.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { BOX_WIDTH, type Box, HEADER_HEIGHT, ROW_HEIGHT } from './graph-boxes.ts';
import { edgeText } from './graph-model.ts';

export type Link = {
  readonly from: TypeId;
  readonly to: TypeId;
  /** The labels of all edges between the two; empty where there is no room. */
  readonly text: string;
  readonly textX: number;
  readonly textY: number;
  readonly anchor: 'start' | 'end';
  /** An SVG path. */
  readonly path: string;
};

/** All edges that lead from one box to another: they are drawn as one. */
type Bundle = { readonly from: Box; readonly to: Box; readonly edges: GraphEdge[] };

type Point = { readonly x: number; readonly y: number };

/** More edges than this leave a box by a trunk with branches: curves would lie over each other. */
const MOST_CURVES = 8;
const LABEL_HEIGHT = 12;
const SHOWN_LABELS = 2;

/** One link for each two boxes that edges connect, in the order of the first of them. */
export function placeLinks(edges: readonly GraphEdge[], boxes: readonly Box[]): Link[] {
  const bundles = bundle(edges, boxes);
  const arriving = groupBy(bundles, (one) => `${one.to.type} ${directionOf(one)}`);
  const leaving = groupBy(bundles.filter(isForward), (one) => one.from.type);
  const trunks = trunkPlaces(leaving);
  return bundles.map((one) => {
    const others = (arriving.get(`${one.to.type} ${directionOf(one)}`) ?? []).toSorted(
      (a, b) => startY(a) - startY(b),
    );
    const end = endOf(one, others.indexOf(one), others.length);
    const trunkX = isForward(one) ? (trunks.get(one.from.type) ?? null) : null;
    const isLegible = others.length === 1 || end.room >= LABEL_HEIGHT;
    return {
      from: one.from.type,
      to: one.to.type,
      text: isLegible ? linkText(one.edges) : '',
      ...route(one, end, trunkX),
    };
  });
}

function bundle(edges: readonly GraphEdge[], boxes: readonly Box[]): Bundle[] {
  const boxOf = new Map(boxes.map((box) => [box.type, box]));
  const bundles = new Map<string, Bundle>();
  for (const edge of edges) {
    const key = `${edge.from}>${edge.to}`;
    const known = bundles.get(key);
    const from = boxOf.get(edge.from);
    const to = boxOf.get(edge.to);
    if (known !== undefined) known.edges.push(edge);
    else if (from !== undefined && to !== undefined) bundles.set(key, { from, to, edges: [edge] });
  }
  return [...bundles.values()];
}

function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

type Direction = 'forward' | 'level' | 'back' | 'self';

function directionOf({ from, to }: Bundle): Direction {
  if (from === to) return 'self';
  if (to.depth === from.depth) return 'level';
  return to.depth > from.depth ? 'forward' : 'back';
}

const isForward = (one: Bundle) => directionOf(one) === 'forward';

const TRUNK_GAP = 26;
const TRUNK_STEP = 7;
const MOST_STEPS = 8;

/** Where the trunks of the boxes stand that have one; beside each other within a column. */
function trunkPlaces(leaving: ReadonlyMap<TypeId, readonly Bundle[]>): Map<TypeId, number> {
  const places = new Map<TypeId, number>();
  const inColumn = new Map<number, number>();
  for (const [type, bundles] of leaving) {
    const [first] = bundles;
    if (first === undefined || bundles.length <= MOST_CURVES) continue;
    const { from } = first;
    const rank = inColumn.get(from.depth) ?? 0;
    inColumn.set(from.depth, rank + 1);
    places.set(type, from.x + BOX_WIDTH + TRUNK_GAP + (rank % MOST_STEPS) * TRUNK_STEP);
  }
  return places;
}

/** Edges leave at the row of their member; those without one at the foot. */
function startY({ from, edges }: Bundle): number {
  const [label = ''] = (edges[0]?.label ?? '').split('.', 1);
  const row = from.rows.findIndex(({ name }) => name === visible(label));
  if (row >= 0) return from.y + HEADER_HEIGHT + 2 + (row + 0.5) * ROW_HEIGHT;
  return from.rows.length > 0
    ? from.y + from.height - ROW_HEIGHT / 2 - 3
    : from.y + from.height / 2;
}

/** Where the edge number `index` of `count` arrives, and how much height it has for itself. */
function endOf({ to }: Bundle, index: number, count: number): { y: number; room: number } {
  if (count === 1) return { y: to.y + HEADER_HEIGHT / 2, room: to.height };
  const room = (to.height - 8) / count;
  return { y: to.y + 4 + (index + 0.5) * room, room };
}

type Route = Pick<Link, 'path' | 'textX' | 'textY' | 'anchor'>;

function route(one: Bundle, end: { readonly y: number }, trunkX: number | null): Route {
  const { from, to } = one;
  const direction = directionOf(one);
  if (direction === 'self') return loop(from);
  const start = { x: direction === 'back' ? from.x : from.x + BOX_WIDTH, y: startY(one) };
  if (direction === 'forward') {
    const goal = { x: to.x, y: end.y };
    const path = trunkX === null ? curve(start, goal, 0.5) : branch(start, trunkX, goal);
    return { path, textX: goal.x - 12, textY: Math.round(goal.y - 5), anchor: 'end' };
  }
  const goal = { x: to.x + BOX_WIDTH, y: end.y };
  const path = direction === 'back' ? curve(start, goal, 0.5) : bow(start, goal);
  return { path, textX: goal.x + 12, textY: Math.round(goal.y - 5), anchor: 'start' };
}

function curve(from: Point, to: Point, share: number): string {
  const reach = (to.x - from.x) * share;
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
}

/** Between two boxes of a column, at its right: the longer, the wider. */
function bow(from: Point, to: Point): string {
  const reach = 28 + Math.min(90, Math.abs(to.y - from.y) / 6);
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x + reach} ${to.y} ${to.x} ${to.y}`;
}

const CORNER = 7;

/** Level to the trunk, along it, and level to the goal, with round corners. */
function branch(from: Point, trunkX: number, to: Point): string {
  const rise = to.y - from.y;
  const radius = Math.min(CORNER, Math.abs(rise) / 2);
  const turn = Math.sign(rise) * radius;
  if (radius < 0.5) return `M${from.x} ${from.y}L${to.x} ${to.y}`;
  return [
    `M${from.x} ${from.y}H${trunkX - radius}`,
    `Q${trunkX} ${from.y} ${trunkX} ${from.y + turn}`,
    `V${to.y - turn}`,
    `Q${trunkX} ${to.y} ${trunkX + radius} ${to.y}H${to.x}`,
  ].join('');
}

/** An edge from a box to itself: over its upper right corner. */
function loop({ x, y }: Box): Route {
  const right = x + BOX_WIDTH;
  return {
    path: `M${right - 52} ${y}C${right - 52} ${y - 26} ${right - 20} ${y - 26} ${right - 20} ${y}`,
    textX: right - 58,
    textY: y - 8,
    anchor: 'end',
  };
}

function linkText(edges: readonly GraphEdge[]): string {
  const text = edges.slice(0, SHOWN_LABELS).map(edgeText).join(', ');
  return edges.length > SHOWN_LABELS ? `${text} +${edges.length - SHOWN_LABELS}` : text;
}
