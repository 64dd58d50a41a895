/** Which part of the graph is in sight, and how large. Screen = graph × scale + (x, y), in CSS pixels. */
import { BOX_WIDTH, type Box } from './graph-boxes.ts';
import type { Bounds } from './graph-layout.ts';

export type Camera = { readonly x: number; readonly y: number; readonly scale: number };
export type Size = { readonly width: number; readonly height: number };
export type Point = { readonly x: number; readonly y: number };

const MIN_SCALE = 0.05;
const MAX_SCALE = 3;
const MARGIN = 24;
/** Below this, names cannot be read: then a part at a readable size is the better beginning. */
const READABLE = 0.62;

/** The whole graph, never enlarged. */
export function fitCamera(bounds: Bounds, size: Size): Camera {
  const scale = clampScale(
    Math.min(
      1,
      (size.width - 2 * MARGIN) / bounds.width,
      (size.height - 2 * MARGIN) / bounds.height,
    ),
  );
  return {
    scale,
    x: size.width / 2 - (bounds.x + bounds.width / 2) * scale,
    y: size.height / 2 - (bounds.y + bounds.height / 2) * scale,
  };
}

/** Where to begin: the whole graph where it can be read, else the root at the left and what is near it. */
export function firstCamera(bounds: Bounds, root: Box, size: Size): Camera {
  const fit = fitCamera(bounds, size);
  if (fit.scale >= READABLE) return fit;
  // A narrow page shows two columns, since one alone tells nothing.
  const scale = Math.min(0.85, Math.max(READABLE, (size.width - 2 * MARGIN) / (3.2 * BOX_WIDTH)));
  const isHighOnly = bounds.width * scale <= size.width - 2 * MARGIN;
  return {
    scale,
    x: isHighOnly
      ? size.width / 2 - (bounds.x + bounds.width / 2) * scale
      : MARGIN - bounds.x * scale,
    y: size.height / 2 - (root.y + root.height / 2) * scale,
  };
}

/** Larger or smaller by `factor`; the point of the screen that is `held` stays where it is. */
export function zoomed(camera: Camera, factor: number, held: Point): Camera {
  const scale = clampScale(camera.scale * factor);
  const ratio = scale / camera.scale;
  return {
    scale,
    x: held.x - (held.x - camera.x) * ratio,
    y: held.y - (held.y - camera.y) * ratio,
  };
}

/** The same scale, moved as little as shows the whole box. */
export function showingBox(camera: Camera, box: Box, size: Size): Camera {
  const left = box.x * camera.scale + camera.x;
  const top = box.y * camera.scale + camera.y;
  return {
    ...camera,
    x: camera.x + shift(left, BOX_WIDTH * camera.scale, size.width),
    y: camera.y + shift(top, box.height * camera.scale, size.height),
  };
}

function shift(start: number, length: number, room: number): number {
  if (start < MARGIN || length > room - 2 * MARGIN) return MARGIN - start;
  return Math.min(0, room - MARGIN - (start + length));
}

function clampScale(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}
