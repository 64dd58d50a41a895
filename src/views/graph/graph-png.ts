/** The graph as a PNG: the canvas painter on a canvas of its own. */
import type { Scene } from '#analysis/graph/scene.ts';
import type { GraphColours } from '#print/graph-svg.ts';
import { paintGraph } from './paint-graph.ts';

const MARGIN = 24;
/** Browsers refuse canvases beyond this many pixels on a side, or in all. */
const MOST_SIDE = 16_000;
const MOST_PIXELS = 120_000_000;

/** Pixels for each unit of the graph: two where that fits, else as many as do. */
export function pngScale(width: number, height: number): number {
  const bySide = MOST_SIDE / Math.max(width, height);
  const byArea = Math.sqrt(MOST_PIXELS / (width * height));
  return Math.min(2, bySide, byArea);
}

/** Bytes of the PNG; null where the browser cannot make one. */
export async function graphPng(scene: Scene, colours: GraphColours): Promise<Uint8Array | null> {
  const { x, y, width, height } = scene.picture.bounds;
  const size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const k = pngScale(size.width, size.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * k);
  canvas.height = Math.round(size.height * k);
  const context = canvas.getContext('2d');
  if (context === null) return null;
  paintGraph(context, {
    scene,
    camera: { k, x: (MARGIN - x) * k, y: (MARGIN - y) * k },
    size: { width: canvas.width, height: canvas.height },
    colours,
    boxes: Array.from({ length: scene.boxCount }, (_, i) => i),
    selected: null,
  });
  // Behind what is painted: paintGraph begins with a clear ground.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
}
