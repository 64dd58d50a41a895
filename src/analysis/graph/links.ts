/** The edges of a graph: which there are, what is written on them, and their ways, as columns of numbers. */

import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Box } from './columns.ts';
import type { GraphEntry } from './entries.ts';
import { chainText } from './graph-path.ts';
import type { GrownGraph } from './grow.ts';
import { type Direction, directionOf, isAtEdge, routeEdge } from './routes.ts';

export const DIRECTIONS: readonly Direction[] = ['forward', 'back', 'level', 'self'];
const LINKS_PER_NODE = 16;

export type GraphLinks = {
  /** Numbers of boxes. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** The row that it leaves from; one past the last is that of members without a row; -1 the header. */
  readonly row: Int32Array;
  /** How many members it stands for. */
  readonly count: Uint32Array;
  /** Numbers of `DIRECTIONS`. */
  readonly direction: Uint8Array;
  /** What it passes, or the members that it stands for; fit to be drawn. */
  readonly text: readonly string[];
  /** The types that it passes; empty where it stands for several members. */
  readonly chain: readonly (readonly number[])[];
  /** Corners of link `i` are `points[starts[i] .. starts[i + 1]]`, x and y in turn. */
  readonly starts: Uint32Array;
  readonly points: Float32Array;
};

/** An edge of the drawing before it has a way. */
export type Link = {
  readonly from: number;
  readonly to: number;
  readonly row: number;
  /** Are they members without a row of their own? */
  readonly isShared: boolean;
  readonly entries: GraphEntry[];
};

/** One link for each row and box that it leads to; members without a row share one for each box. */
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
      // A type that is only passed has no rows at all, and one edge.
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
  /** The same for edges that leave one side of a box. */
  readonly key: number;
  text: string;
  together: number;
};

const CHARACTER = 6.4;
const LEAST_STUB = 14;
/** Characters of a label that fit into a channel, and between two boxes of a column. */
const LABEL_LENGTH = 13;
const SHORT_LABEL = 8;

/** The edges as columns, with their labels and ways. */
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

/** Edges of members without a row leave at one place: one label there tells how many members they are. */
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
