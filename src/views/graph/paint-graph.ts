/** Paints the graph on a canvas: all edges, and boxes too many or too small for elements. */
import { boxParts, fitText, NAME_SIZE, type Part, ROW_SIZE } from '#analysis/graph/box-parts.ts';
import { DIRECTIONS } from '#analysis/graph/links.ts';
import { BOX_WIDTH } from '#analysis/graph/measures.ts';
import type { Scene } from '#analysis/graph/scene.ts';
import { labelPlace, traceEdge } from '#analysis/graph/trace-edge.ts';
import { addTo, memoized } from '#bytes/cache.ts';
import type { GraphColours } from '#print/graph-svg.ts';
import type { Size } from '#ui/element-size.tsx';
import { type Camera, type Window, windowOf } from './camera.ts';
import type { Focus } from './graph-marks.ts';
import { faceOf } from './graph-text.ts';

export type Painting = {
  readonly scene: Scene;
  readonly camera: Camera;
  readonly size: Size;
  readonly colours: GraphColours;
  /** Indexes of the boxes to paint; empty if boxes are drawn as elements. */
  readonly boxes: readonly number[];
  readonly selected: number | null;
  /** Part under the pointer. All other boxes and edges are dimmed. Null if there is none. */
  readonly focus: Focus | null;
};

/** Opacity of dimmed edges and boxes. */
const DIMMED = 0.18;

const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
/** Scale below which a box is a block with its name, in the colour of its kind. */
const BLOCK_SCALE = 0.3;
/** Scale below which names are unreadable and not painted. */
const NAME_SCALE = 0.12;
const BLOCK_NAME_SIZE = 27;

type Context = CanvasRenderingContext2D;

/** Paints the visible part of the graph. The caller clears the canvas and scales `context`. */
export function paintGraph(context: Context, painting: Painting): void {
  const { scene, camera, size, colours, boxes, focus } = painting;
  const strength = focus === null ? 1 : DIMMED;
  context.save();
  context.translate(camera.x, camera.y);
  context.scale(camera.k, camera.k);
  paintEdges(context, scene, colours, windowOf(camera, size, 40), camera.k, strength);
  const isNamed = boxes.length > 0 && camera.k >= BLOCK_SCALE;
  if (isNamed && focus === null) paintLabels(context, scene, colours, boxes);
  const bright = focus === null ? boxes : boxes.filter((index) => focus.boxes.has(index));
  const dim = focus === null ? [] : boxes.filter((index) => !focus.boxes.has(index));
  for (const [some, alpha] of [
    [dim, DIMMED],
    [bright, 1],
  ] as const) {
    context.globalAlpha = alpha;
    if (camera.k < BLOCK_SCALE) paintBlocks(context, { ...painting, boxes: some });
    else for (const index of some) paintBox(context, painting, index);
  }
  context.restore();
}

type EdgePaths = { readonly along: Path2D; readonly apart: Path2D };

/** Paths of all edges. They are cached, since a small scale needs all edges in each frame. */
const edgePathsOf = memoized((scene: Scene): EdgePaths => {
  const paths = { along: new Path2D(), apart: new Path2D() };
  const { points, starts } = scene.picture.links;
  for (let i = 0; i < scene.linkCount; i++) {
    const pen = isApart(scene, i) ? paths.apart : paths.along;
    traceEdge(points, starts[i] ?? 0, starts[i + 1] ?? 0, pen);
  }
  return paths;
});

/** Returns true if the edge leads to an earlier column or to its own box. */
function isApart(scene: Scene, link: number): boolean {
  const direction = DIRECTIONS[scene.picture.links.direction[link] ?? 0];
  return direction === 'back' || direction === 'self';
}

function paintEdges(
  context: Context,
  scene: Scene,
  colours: GraphColours,
  window: Window,
  k: number,
  strength: number,
): void {
  const crowd = strength * (scene.linkCount > 1500 ? 0.45 : 0.85);
  context.lineWidth = Math.max(1, 0.7 / k);
  const isFar = k < NAME_SCALE;
  const paths = isFar ? edgePathsOf(scene) : null;
  for (const apart of [false, true]) {
    const colour = apart ? colours.back : colours.edge;
    context.globalAlpha = apart ? crowd * 0.75 : crowd;
    context.strokeStyle = colour;
    if (paths !== null) {
      context.stroke(apart ? paths.apart : paths.along);
      continue;
    }
    context.setLineDash(apart ? [5, 3] : []);
    paintEdgesIn(context, scene, apart, colour, window);
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
}

function paintEdgesIn(
  context: Context,
  scene: Scene,
  apart: boolean,
  colour: string,
  window: Window,
): void {
  const { points, starts } = scene.picture.links;
  const tips: number[] = [];
  context.beginPath();
  for (let i = 0; i < scene.linkCount; i++) {
    const start = starts[i] ?? 0;
    const end = starts[i + 1] ?? 0;
    if (isApart(scene, i) !== apart || !reaches(points, start, end, window)) continue;
    traceEdge(points, start, end, context);
    tips.push(end);
  }
  context.stroke();
  paintTips(context, points, tips, colour);
}

function paintTips(
  context: Context,
  points: Float32Array,
  tips: readonly number[],
  colour: string,
): void {
  context.beginPath();
  for (const end of tips) {
    const x = points[end - 2] ?? 0;
    const y = points[end - 1] ?? 0;
    const back = (points[end - 4] ?? 0) <= x ? -6 : 6;
    context.moveTo(x, y);
    context.lineTo(x + back, y - 3.5);
    context.lineTo(x + back, y + 3.5);
  }
  context.fillStyle = colour;
  context.fill();
}

function paintLabels(
  context: Context,
  scene: Scene,
  colours: GraphColours,
  boxes: readonly number[],
): void {
  const { starts, points } = scene.picture.links;
  context.font = `10px ${MONO}`;
  for (const index of boxes.flatMap((box) => scene.linksFrom(box))) {
    const link = scene.link(index);
    if (link.text === '') continue;
    const { x, y, width, isLeft } = labelPlace(points, starts[index] ?? 0, link);
    context.fillStyle = colours.ground;
    context.fillRect(x, y - 8, width, 16);
    context.textAlign = isLeft ? 'end' : 'start';
    context.fillStyle = colours.dim;
    context.fillText(link.text, isLeft ? x + width - 3 : x + 3, y + 3.5);
  }
}

/** Returns true if an edge may be in the window. A curve can be 40 units beyond its points. */
function reaches(points: Float32Array, start: number, end: number, window: Window): boolean {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = start; i < end; i += 2) {
    const x = points[i] ?? 0;
    const y = points[i + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x + 40);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return (
    left <= window.right && right >= window.left && top <= window.bottom && bottom >= window.top
  );
}

/** Paints the blocks of each kind with a single stroke, since there can be thousands. */
function paintBlocks(context: Context, { scene, colours, selected, camera, boxes }: Painting) {
  const { x, y, height } = scene.picture.boxes;
  const byKind = new Map<number, number[]>();
  for (const index of boxes) {
    addTo(byKind, scene.kinds[index] ?? 0, index);
  }
  const outline = (indices: readonly number[]) => {
    context.beginPath();
    for (const i of indices) context.rect(x[i] ?? 0, y[i] ?? 0, BOX_WIDTH, height[i] ?? 0);
  };
  for (const [kind, indices] of byKind) {
    const tone = colours.tone(kind);
    outline(indices);
    context.fillStyle = tone.ground;
    context.fill();
    context.strokeStyle = tone.text;
    context.lineWidth = 0.8 / camera.k;
    context.stroke();
    context.fillStyle = tone.text;
    if (camera.k >= NAME_SCALE) for (const index of indices) paintName(context, scene, index);
  }
  if (selected === null) return;
  outline([selected]);
  context.strokeStyle = colours.lit;
  context.lineWidth = 3 / camera.k;
  context.stroke();
}

/** Paints the name of a box as large as the box allows. */
function paintName(context: Context, scene: Scene, index: number): void {
  const box = scene.box(index);
  const size = Math.min(BLOCK_NAME_SIZE, box.height * 0.8);
  context.font = `600 ${size}px ${MONO}`;
  context.textAlign = 'center';
  const top = Math.min(box.height, 2.2 * size) / 2;
  const name = fitText(box.text.name, box.width - 12, size);
  context.fillText(name, box.x + box.width / 2, box.y + top + size * 0.35);
}

function paintBox(context: Context, painting: Painting, index: number) {
  const { scene, colours, selected } = painting;
  const box = scene.box(index);
  context.save();
  context.translate(box.x, box.y);
  for (const part of boxParts(box.text, faceOf(box), box.height)) {
    paintPart(context, part, colours, colours.tone(box.text.kind), index === selected);
  }
  context.restore();
}

function paintPart(
  context: Context,
  part: Part,
  colours: GraphColours,
  tone: { readonly text: string; readonly ground: string },
  isSelected: boolean,
): void {
  const { role, x, y } = part;
  if (part.shape === 'text') {
    const isName = role === 'name';
    const weight = isName || role === 'letter' ? '600 ' : '';
    context.font = `${weight}${isName ? NAME_SIZE : ROW_SIZE}px ${MONO}`;
    context.textAlign = part.anchor === 'middle' ? 'center' : part.anchor;
    context.fillStyle =
      role === 'letter' ? tone.text : isName || role === 'row' ? colours.text : colours.dim;
    context.fillText(part.text, x, y);
    return;
  }
  if (role === 'ground') return;
  context.beginPath();
  context.roundRect(x, y, part.width, part.height, part.radius);
  const fills: Partial<Record<Part['role'], string>> = {
    frame: colours.box,
    badge: tone.ground,
    line: colours.border,
  };
  context.fillStyle = fills[role] ?? colours.chip;
  context.fill();
  if (role !== 'frame') return;
  context.strokeStyle = isSelected ? colours.lit : colours.border;
  context.lineWidth = isSelected ? 3 : 1;
  context.stroke();
}
