/** Where the boxes of a graph lie. Units are CSS pixels at scale 1; the columns' middle is at y = 0. */
import { placeInColumns } from '#analysis/neighbourhood.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type BoxText, boxText, type TypeGraph } from './graph-model.ts';

export const BOX_WIDTH = 224;
export const HEADER_HEIGHT = 30;
export const ROW_HEIGHT = 17;
const COLUMN_GAP = 196;
const BOX_GAP = 14;
const MAX_ROWS = 8;

export type Box = BoxText & {
  readonly type: TypeId;
  readonly depth: number;
  /** The upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
};

/** The more boxes, the less each says. */
function rowLimit(nodeCount: number, isRoot: boolean): number {
  if (isRoot || nodeCount <= 16) return MAX_ROWS;
  return nodeCount <= 40 ? 4 : 0;
}

/** A box for each node, in their order: columns by steps from the root, boxes as high as their text. */
export function placeBoxes(types: TypeTable, { root, nodes, edges }: TypeGraph): Box[] {
  const leaving = new Map<TypeId, Set<string>>();
  for (const { from, label } of edges) {
    const labels = leaving.get(from) ?? new Set();
    leaving.set(from, labels.add(label));
  }
  const places = placeInColumns(nodes, edges);
  const boxes = nodes.map((node, i): Box => {
    const limit = rowLimit(nodes.length, node.type === root);
    const text = boxText(types, node.type, limit, leaving.get(node.type) ?? new Set());
    const lines = text.rows.length + (text.rowsLeftOut > 0 ? 1 : 0);
    return {
      ...text,
      type: node.type,
      depth: node.depth,
      x: (places[i]?.x ?? 0) * (BOX_WIDTH + COLUMN_GAP) - BOX_WIDTH / 2,
      y: places[i]?.y ?? 0,
      height: HEADER_HEIGHT + (lines > 0 ? lines * ROW_HEIGHT + 6 : 0),
    };
  });
  return stack(boxes);
}

/** Turns row numbers into pixels: each column on its own, its middle at 0. */
function stack(boxes: readonly Box[]): Box[] {
  const tops = new Map<Box, number>();
  for (const column of columnsOf(boxes)) {
    const sorted = column.toSorted((a, b) => a.y - b.y);
    const total = sorted.reduce((sum, box) => sum + box.height + BOX_GAP, -BOX_GAP);
    let y = -total / 2;
    for (const box of sorted) {
      tops.set(box, y);
      y += box.height + BOX_GAP;
    }
  }
  return boxes.map((box) => ({ ...box, y: Math.round(tops.get(box) ?? 0) }));
}

function columnsOf(boxes: readonly Box[]): Box[][] {
  const columns: Box[][] = [];
  for (const box of boxes) {
    columns[box.depth] ??= [];
    columns[box.depth]?.push(box);
  }
  return columns;
}
