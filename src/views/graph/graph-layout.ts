/** The drawing of a graph: boxes, edges, and how much room they take. Units as in graph-boxes. */
import type { TypeTable } from '#model/type-table.ts';
import { BOX_WIDTH, type Box, placeBoxes } from './graph-boxes.ts';
import { type Link, placeLinks } from './graph-links.ts';
import type { TypeGraph } from './graph-model.ts';

export type Bounds = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type GraphLayout = {
  /** In the order of the graph's nodes: the root first. */
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
  readonly bounds: Bounds;
};

/** Columns by steps from the root, boxes as high as their text, edges as curves. */
export function layoutGraph(types: TypeTable, graph: TypeGraph): GraphLayout {
  const boxes = placeBoxes(types, graph);
  return { boxes, links: placeLinks(graph.edges, boxes), bounds: boundsOf(boxes) };
}

function boundsOf(boxes: readonly Box[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + BOX_WIDTH);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
