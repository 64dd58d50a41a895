/** Where the dot of the laser is on its way, and the trail behind it. CSS pixels of the window, milliseconds. */

export type Point = { readonly x: number; readonly y: number };
export type TimedPoint = Point & { readonly at: number };

/** Slow enough that eyes follow from the word to what it means: the way is what is shown. */
export const GLIDE_MS = 420;
const TRAIL_MS = 180;
const MOST = 64;

/** The dot at `at` on its way that began at `since`; at its end when that is over. */
export function glideAt(from: Point, to: Point, since: number, at: number): Point {
  const part = Math.max(0, Math.min(1, (at - since) / GLIDE_MS));
  const eased = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
  return { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
}

/** The trail with one more point, without those that have faded by then. */
export function withPoint(trail: readonly TimedPoint[], point: TimedPoint): TimedPoint[] {
  return [...faded(trail, point.at), point].slice(-MOST);
}

/** What can still be seen of a trail. */
export function faded(trail: readonly TimedPoint[], at: number): TimedPoint[] {
  return trail.filter((point) => at - point.at < TRAIL_MS);
}

/** How strong the trail is at a point: 1 where it is new, 0 where it has faded. */
export function strengthAt(point: TimedPoint, at: number): number {
  return Math.max(0, Math.min(1, 1 - (at - point.at) / TRAIL_MS));
}
