import { type RefObject, useEffect, useEffectEvent } from 'react';
import { type Camera, type Point, zoomed } from './camera.ts';

/** Pixels that a press may wander and still be a click. */
const SLACK = 4;
const WHEEL_SPEED = 0.0015;

type PanZoomOptions = {
  readonly camera: Camera;
  readonly onMove: (camera: Camera) => void;
};

/** Drag moves, the wheel and two fingers zoom. A drag is no click on what it began at. */
export function usePanZoom(
  element: RefObject<SVGSVGElement | null>,
  { camera, onMove }: PanZoomOptions,
): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * WHEEL_SPEED * (event.ctrlKey ? 4 : 1));
    onMove(zoomed(camera, factor, pointIn(event)));
  });
  const onDrag = useEffectEvent((before: readonly Point[], after: readonly Point[]) => {
    onMove(draggedBy(camera, before, after));
  });

  useEffect(() => {
    const svg = element.current;
    if (svg === null) return;
    return listen(svg, onDrag, (event) => onWheel(event));
  }, [element]);
}

type OnDrag = (before: readonly Point[], after: readonly Point[]) => void;

function listen(
  svg: SVGSVGElement,
  onDrag: OnDrag,
  onWheel: (event: WheelEvent) => void,
): () => void {
  const pointers = new Map<number, Point>();
  let wandered = 0;
  const controller = new AbortController();
  const { signal } = controller;

  svg.addEventListener('wheel', onWheel, { passive: false, signal });
  svg.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      if (pointers.size === 0) wandered = 0;
      pointers.set(event.pointerId, pointIn(event));
    },
    { signal },
  );
  svg.addEventListener(
    'pointermove',
    (event) => {
      const from = pointers.get(event.pointerId);
      if (from === undefined) return;
      const before = [...pointers.values()];
      const to = pointIn(event);
      wandered += Math.hypot(to.x - from.x, to.y - from.y);
      if (wandered <= SLACK) return;
      // Only now: a captured press would never become a click on a box.
      if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, to);
      onDrag(before, [...pointers.values()]);
    },
    { signal },
  );
  const lift = (event: PointerEvent) => pointers.delete(event.pointerId);
  svg.addEventListener('pointerup', lift, { signal });
  svg.addEventListener('pointercancel', lift, { signal });
  svg.addEventListener('lostpointercapture', lift, { signal });
  svg.addEventListener('pointerleave', (event) => wandered <= SLACK && lift(event), { signal });
  svg.addEventListener(
    'click',
    (event) => {
      if (wandered > SLACK) event.stopPropagation();
    },
    { signal, capture: true },
  );
  return () => controller.abort();
}

/** The event's place in the element that listens. */
function pointIn(event: MouseEvent): Point {
  const box =
    event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : null;
  return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
}

/** The camera after the fingers moved: one moves it, two zoom it as well. */
export function draggedBy(
  camera: Camera,
  before: readonly Point[],
  after: readonly Point[],
): Camera {
  const from = centreOf(before);
  const to = centreOf(after);
  const moved = { ...camera, x: camera.x + to.x - from.x, y: camera.y + to.y - from.y };
  const spread = spreadOf(before);
  return spread > 0 ? zoomed(moved, spreadOf(after) / spread, to) : moved;
}

function centreOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
  const count = Math.max(1, points.length);
  return { x: sum.x / count, y: sum.y / count };
}

function spreadOf([a, b]: readonly Point[]): number {
  return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
}
