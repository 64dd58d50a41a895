/** A picture with its texts: boxes are read when they are looked at, since most are out of sight. */
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { type BoxText, boxText } from './box-text.ts';
import { graphReader } from './entries.ts';
import { parseHidden } from './families.ts';
import { DIRECTIONS } from './links.ts';
import { BOX_WIDTH } from './measures.ts';
import { BOX_STATES, type GraphPicture } from './picture.ts';
import type { Direction } from './routes.ts';

export type SceneBox = {
  readonly index: number;
  readonly type: TypeId;
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly state: (typeof BOX_STATES)[number];
  /** How many types it leads to that are not shown. */
  readonly more: number;
  readonly text: BoxText;
  /** Rows that an edge leaves from. */
  readonly linkedRows: ReadonlySet<number>;
};

export type SceneLink = {
  readonly index: number;
  /** Numbers of boxes. */
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly count: number;
  readonly direction: Direction;
  readonly text: string;
  readonly chain: readonly TypeId[];
};

export type Scene = {
  readonly picture: GraphPicture;
  readonly boxCount: number;
  readonly linkCount: number;
  readonly box: (index: number) => SceneBox;
  /** BTF_KIND_* of each box, for those who draw all of them at once. */
  readonly kinds: Uint8Array;
  readonly link: (index: number) => SceneLink;
  /** Number of the box of a type, or null. */
  readonly indexOf: (type: number) => number | null;
  /** Numbers of the edges that leave or reach a box. */
  readonly linksFrom: (box: number) => readonly number[];
  readonly linksTo: (box: number) => readonly number[];
};

/** The picture with its texts, which are read from `types`. */
export function sceneOf(types: TypeTable, picture: GraphPicture): Scene {
  const { boxes, links, request } = picture;
  const reader = graphReader(types, parseHidden(request.hide));
  const numbers = new Map(Array.from(boxes.type, (type, i) => [type, i]));
  const from = grouped(links.from);
  const to = grouped(links.to);
  const kept = new Map<number, SceneBox>();
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
    picture,
    boxCount: boxes.type.length,
    linkCount: links.from.length,
    kinds: Uint8Array.from(boxes.type, (type) => kindOf(types, typeId(type))),
    box(index) {
      const box = kept.get(index) ?? readBox(index);
      kept.set(index, box);
      return box;
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
  ends.forEach((box, link) => {
    const group = groups.get(box);
    if (group === undefined) groups.set(box, [link]);
    else group.push(link);
  });
  return groups;
}
