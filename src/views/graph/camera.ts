/** Visible part of the graph. Position on the screen = k × position in the graph + (x, y). */
import { select as pick } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { BOX_WIDTH, ROW_HEIGHT } from '#analysis/graph/measures.ts';
import type { Bounds, Scene, SceneBox } from '#analysis/graph/scene.ts';
import type { Size } from '#ui/element-size.tsx';

export type Camera = { readonly x: number; readonly y: number; readonly k: number };

const MIN_SCALE = 0.03;
const MAX_SCALE = 3;
const MARGIN = 24;
/** Minimum scale for readable names. A larger graph is first shown in part. */
const READABLE = 0.7;
/** Minimum scale on a narrow page, which has no space for larger texts. */
const READABLE_NARROW = 0.5;
const NARROW = 600;
/** Boxes are elements from this scale on, if they need at most `MAX_ELEMENTS`. */
const NEAR_SCALE = 0.42;
const MAX_ELEMENTS = 1350;
/** Elements of a box without its rows, and of a row, with titles and the label of its edge. */
const BOX_ELEMENTS = 12;
const ROW_ELEMENTS = 4;

/** Returns the camera that has a point of the graph in the middle of the view. */
export function centred(k: number, x: number, y: number, size: Size): Camera {
  return { k, x: size.width / 2 - x * k, y: size.height / 2 - y * k };
}

type Fit = { readonly margin: number; readonly least: number; readonly most: number };

/** Returns the camera that shows the whole graph. `margin` is in CSS pixels. */
export function fitCamera(bounds: Bounds, size: Size, fit: Partial<Fit> = {}): Camera {
  const { margin = MARGIN, least = MIN_SCALE, most = 1 } = fit;
  const { x, y, width, height } = bounds;
  const fitting = Math.min(
    most,
    (size.width - 2 * margin) / Math.max(1, width),
    (size.height - 2 * margin) / Math.max(1, height),
  );
  return centred(Math.max(least, fitting), x + width / 2, y + height / 2, size);
}

/** Returns the first camera: it shows the whole graph if readable, else the root at the left. */
export function firstCamera(bounds: Bounds, root: SceneBox, size: Size): Camera {
  const whole = fitCamera(bounds, size);
  const readable = size.width < NARROW ? READABLE_NARROW : READABLE;
  if (whole.k >= readable) return whole;
  const k = Math.min(1, Math.max(readable, (size.width - 2 * MARGIN) / (4 * BOX_WIDTH)));
  const isHighOnly = bounds.width * k <= size.width - 2 * MARGIN;
  const isTall = root.height * k > size.height - 2 * MARGIN;
  const middle = centred(k, bounds.x + bounds.width / 2, root.y + root.height / 2, size);
  return {
    k,
    x: isHighOnly ? middle.x : MARGIN - root.x * k,
    y: isTall ? MARGIN - root.y * k : middle.y,
  };
}

/** Returns the camera after the smallest move that shows a box, or the top of a tall box. */
export function showingBox(camera: Camera, box: SceneBox, size: Size): Camera {
  const left = box.x * camera.k + camera.x;
  const top = box.y * camera.k + camera.y;
  return {
    ...camera,
    x: camera.x + shift(left, box.width * camera.k, size.width),
    y: camera.y + shift(top, box.height * camera.k, size.height),
  };
}

export function isInSight(camera: Camera, box: SceneBox, size: Size): boolean {
  const least = (length: number) => Math.min(MARGIN, length);
  const seen = (start: number, length: number, room: number) =>
    Math.min(start + length, room) - Math.max(start, 0) >= least(length);
  return (
    seen(box.x * camera.k + camera.x, box.width * camera.k, size.width) &&
    seen(box.y * camera.k + camera.y, box.height * camera.k, size.height)
  );
}

/** Returns a camera that has the box in the middle and a scale at which names are readable. */
export function focusCamera(camera: Camera, box: SceneBox, size: Size): Camera {
  const k = Math.min(1.2, Math.max(camera.k, 0.9));
  const isTall = box.height * k > size.height - 2 * MARGIN;
  const middle = centred(k, box.x + box.width / 2, box.y + box.height / 2, size);
  return isTall ? { ...middle, y: MARGIN - box.y * k } : middle;
}

function shift(start: number, length: number, room: number): number {
  if (start < MARGIN || length > room - 2 * MARGIN) return MARGIN - start;
  return Math.min(0, room - MARGIN - (start + length));
}

/** Rectangle of the graph, in units of the graph. */
export type Window = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** Returns the visible rectangle of the graph, extended by `margin` on each side. */
export function windowOf(camera: Camera, size: Size, margin = 0): Window {
  return {
    left: -camera.x / camera.k - margin,
    top: -camera.y / camera.k - margin,
    right: (size.width - camera.x) / camera.k + margin,
    bottom: (size.height - camera.y) / camera.k + margin,
  };
}

const TILE = 256;

/** Returns the rectangle extended to whole tiles, so that small moves of the camera keep it. */
export function tiled({ left, top, right, bottom }: Window): Window {
  return {
    left: Math.floor(left / TILE) * TILE,
    top: Math.floor(top / TILE) * TILE,
    right: Math.ceil(right / TILE) * TILE,
    bottom: Math.ceil(bottom / TILE) * TILE,
  };
}

/** Returns the indexes of the boxes that overlap a rectangle. */
export function boxesIn({ picture }: Scene, window: Window): number[] {
  const { x, y, height } = picture.boxes;
  const visible: number[] = [];
  for (let i = 0; i < x.length; i++) {
    const left = x[i] ?? 0;
    const top = y[i] ?? 0;
    if (left > window.right || left + BOX_WIDTH < window.left) continue;
    if (top > window.bottom || top + (height[i] ?? 0) < window.top) continue;
    visible.push(i);
  }
  return visible;
}

/** Returns the boxes to draw as elements; none if they would be too small or too many. */
export function boxesAsElements(
  scene: Scene,
  k: number,
  seen: readonly number[],
  near: readonly number[],
): readonly number[] {
  if (k < NEAR_SCALE) return NO_BOXES;
  return [near, seen].find((boxes) => elementCount(scene, boxes) <= MAX_ELEMENTS) ?? NO_BOXES;
}

const NO_BOXES: readonly number[] = [];

function elementCount({ picture }: Scene, boxes: readonly number[]): number {
  const rows = (box: number) => Math.floor((picture.boxes.height[box] ?? 0) / ROW_HEIGHT) - 1;
  return boxes.reduce((sum, box) => sum + BOX_ELEMENTS + ROW_ELEMENTS * rows(box), 0);
}

type Behaviour = ZoomBehavior<HTMLDivElement, unknown>;

/** Lets the user pan and zoom an element (d3-zoom). The camera is `first` until the first move. */
export function useCamera(element: RefObject<HTMLDivElement | null>, first: Camera) {
  const [moved, setMoved] = useState<Camera | null>(null);
  const behaviour = useRef<Behaviour | null>(null);
  const isUserMove = useRef(true);

  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const made: Behaviour = zoom<HTMLDivElement, unknown>()
      .scaleExtent([MIN_SCALE, MAX_SCALE])
      .on('zoom', ({ transform }: D3ZoomEvent<HTMLDivElement, unknown>) => {
        if (isUserMove.current) setMoved({ x: transform.x, y: transform.y, k: transform.k });
      });
    behaviour.current = made;
    const picked = pick(current).call(made).on('dblclick.zoom', null);
    return () => {
      picked.on('.zoom', null);
    };
  }, [element]);

  const moveTo = useCallback(
    ({ x, y, k }: Camera) => {
      if (element.current === null || behaviour.current === null) return;
      const transform = zoomIdentity.translate(x, y).scale(k);
      pick(element.current).call(behaviour.current.transform, transform);
    },
    [element],
  );

  // Tell d3 the camera before a drag. That call must not count as a move by the user.
  useEffect(() => {
    if (moved !== null) return;
    isUserMove.current = false;
    moveTo(first);
    isUserMove.current = true;
  }, [first, moved, moveTo]);

  return { camera: moved ?? first, moveTo };
}
