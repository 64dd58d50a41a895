import { useEffect, useRef } from 'react';
import { activeId, session } from '#store/session/session.ts';
import { canvasContext } from '#ui/canvas-context.ts';
import { onKeyDown } from '#ui/keys.tsx';
import styles from './Laser.module.css';
import { holesNow, selectionNow, toolElement } from './lit-boxes.ts';

/** Shows a dot with a trail at the pointer. After a new step or link it glides to the new place. */
export function Laser() {
  const dot = useRef<HTMLSpanElement>(null);
  const trail = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (dot.current === null || trail.current === null) return;
    return startLaser(dot.current, trail.current);
  }, []);
  return (
    <div className={styles.laser} aria-hidden>
      <canvas ref={trail} className={styles.trail} />
      <span ref={dot} className={styles.dot} data-laser="" hidden />
    </div>
  );
}

/** Milliseconds after a click on a link. A new place in this time is the target of the link. */
const PRESSED_MS = 2000;
/** Maximum milliseconds to wait until the new place is drawn. */
const PATIENCE_MS = 4000;
/** CSS pixels that the pointer must move until the dot follows it again. */
const REST_PX = 12;
const WIDTH_PX = 9;

/** Starts the laser: moves `dot`, draws the trail on `canvas`. Returns a function that stops it. */
function startLaser(dot: HTMLElement, canvas: HTMLCanvasElement): () => void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let at: Point | null = null;
  let trail: TimedPoint[] = [];
  let frame = 0;
  let pressed: { readonly point: Point; readonly when: number } | null = null;
  let glide: { readonly from: Point; readonly to: Point; readonly since: number } | null = null;
  let sought: { readonly from: Point; readonly until: number; last: string } | null = null;
  let restsAt: Point | null = null;

  const moveTo = (point: Point, now: number) => {
    at = point;
    dot.hidden = false;
    dot.style.transform = `translate(${point.x}px, ${point.y}px)`;
    if (!isStill) trail = withPoint(trail, { ...point, at: now });
  };

  const step = (now: number) => {
    frame = 0;
    if (sought !== null) seek(now);
    if (glide !== null) {
      moveTo(glideAt(glide.from, glide.to, glide.since, now), now);
      if (now - glide.since >= GLIDE_MS) glide = null;
    }
    trail = faded(trail, now);
    draw(canvas, trail, now);
    if (sought !== null || glide !== null || trail.length > 0) wake();
  };
  const wake = () => {
    if (frame === 0) frame = requestAnimationFrame(step);
  };

  /** Starts the glide once the new place no longer moves. */
  const seek = (now: number) => {
    if (sought === null) return;
    const tool = toolElement();
    const [hole] = tool === null ? [] : holesNow(tool, selectionNow());
    const text = JSON.stringify(hole);
    if (hole !== undefined && text === sought.last) {
      const to = { x: (hole.left + hole.right) / 2, y: (hole.top + hole.bottom) / 2 };
      restsAt = at ?? sought.from;
      if (isStill) moveTo(to, now);
      else glide = { from: sought.from, to, since: now };
      sought = null;
    } else if (now > sought.until) sought = null;
    else sought.last = text;
  };

  const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (restsAt !== null && Math.hypot(x - restsAt.x, y - restsAt.y) < REST_PX) return;
    restsAt = null;
    glide = null;
    moveTo({ x, y }, performance.now());
    wake();
  };
  const onPress = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a, button') : null;
    if (link !== null) pressed = { point: middleOf(link), when: performance.now() };
  };
  const stopSession = session.subscribe((state, before) => {
    if (state.files === before.files && activeId(state) === activeId(before)) return;
    const now = performance.now();
    const isNew = selectionNow() !== seen;
    seen = selectionNow();
    if (!isNew || seen.kind === 'none') return;
    const isOfPress = pressed !== null && now - pressed.when < PRESSED_MS;
    const from = (isOfPress ? pressed?.point : null) ?? titlePoint() ?? at;
    // A click in the tool needs no glide: the pointer is already there.
    if (!isOfPress && !isByKeys(now)) return;
    if (from !== null) sought = { from, until: now + PATIENCE_MS, last: '' };
    wake();
  });
  let seen = selectionNow();
  let keyAt = Number.NEGATIVE_INFINITY;
  const isByKeys = (now: number) => now - keyAt < PRESSED_MS;
  const onKey = () => {
    keyAt = performance.now();
    pressed = null;
  };

  const stop = new AbortController();
  window.addEventListener('pointermove', onMove, { passive: true, signal: stop.signal });
  window.addEventListener('click', onPress, { capture: true, signal: stop.signal });
  const stopKeys = onKeyDown(window, onKey, { capture: true });
  return () => {
    cancelAnimationFrame(frame);
    stopSession();
    stop.abort();
    stopKeys();
  };
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Returns the middle of the step's title: the audience looks there after a change of step. */
function titlePoint(): Point | null {
  const title = document.querySelector('section[aria-label="Lesson"] h3');
  return title === null ? null : middleOf(title);
}

function draw(canvas: HTMLCanvasElement, trail: readonly TimedPoint[], now: number): void {
  const pen = canvasContext(canvas, { width: innerWidth, height: innerHeight });
  if (pen === null) return;
  pen.strokeStyle = getComputedStyle(canvas).color;
  pen.lineCap = 'round';
  for (const [i, point] of trail.entries()) {
    const before = trail[i - 1];
    if (before === undefined) continue;
    const strength = strengthAt(point, now);
    pen.globalAlpha = strength * 0.7;
    pen.lineWidth = Math.max(1, WIDTH_PX * strength);
    pen.beginPath();
    pen.moveTo(before.x, before.y);
    pen.lineTo(point.x, point.y);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** `x` and `y` are CSS pixels in the window; `at` is a time in milliseconds. */
type Point = { readonly x: number; readonly y: number };
type TimedPoint = Point & { readonly at: number };

/** Duration of a glide in milliseconds, slow enough to be followed by eye. */
export const GLIDE_MS = 420;
const TRAIL_MS = 180;
const MAX_POINTS = 64;

/** Returns the position at time `at` in a glide that began at time `since`. */
export function glideAt(from: Point, to: Point, since: number, at: number): Point {
  const part = Math.max(0, Math.min(1, (at - since) / GLIDE_MS));
  const eased = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
  return { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
}

/** Returns the trail with `point` added and without the points that have faded. */
export function withPoint(trail: readonly TimedPoint[], point: TimedPoint): TimedPoint[] {
  return [...faded(trail, point.at), point].slice(-MAX_POINTS);
}

/** Returns the points of the trail that have not faded. */
export function faded(trail: readonly TimedPoint[], at: number): TimedPoint[] {
  return trail.filter((point) => at - point.at < TRAIL_MS);
}

/** Returns the opacity of a point at time `at`: from 1 for a new point to 0. */
export function strengthAt(point: TimedPoint, at: number): number {
  return Math.max(0, Math.min(1, 1 - (at - point.at) / TRAIL_MS));
}
