/** Moving through the graph by keys. */
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';

/**
 * The box that a key leads to from the box number `from`, or null: Right along an
 * edge to a later column, Left back along one, Up and Down among the boxes that lie
 * above and below, Home to the root, End to the last.
 */
export function boxAfterKey(scene: Scene, from: number, key: string): SceneBox | null {
  const at = scene.box(from);
  switch (key) {
    case 'ArrowRight':
      return along(scene, at, 1);
    case 'ArrowLeft':
      return along(scene, at, -1);
    case 'ArrowDown':
      return inColumn(scene, at, 1);
    case 'ArrowUp':
      return inColumn(scene, at, -1);
    case 'Home':
      return scene.box(0);
    case 'End':
      return scene.box(scene.boxCount - 1);
    default:
      return null;
  }
}

/** Of the boxes at the other end of an edge, on the side asked for, the one that lies most level. */
function along(scene: Scene, at: SceneBox, side: 1 | -1): SceneBox | null {
  const ends = new Set([
    ...scene.linksFrom(at.index).map((link) => scene.link(link).to),
    ...scene.linksTo(at.index).map((link) => scene.link(link).from),
  ]);
  const candidates = [...ends].filter((end) => {
    const column = scene.picture.boxes.column[end] ?? 0;
    return Math.sign(column - at.column) === side;
  });
  return nearest(scene, at, candidates);
}

/** Of the boxes of the column above or below, the nearest; beside each other they are passed from left to right. */
function inColumn(scene: Scene, at: SceneBox, side: 1 | -1): SceneBox | null {
  const { x, y, column } = scene.picture.boxes;
  const place = (i: number) => [y[i] ?? 0, x[i] ?? 0] as const;
  const order = Array.from(column.keys()).filter((i) => column[i] === at.column);
  order.sort((a, b) => {
    const [ya, xa] = place(a);
    const [yb, xb] = place(b);
    return ya - yb || xa - xb;
  });
  const next = order[order.indexOf(at.index) + side];
  return next === undefined ? null : scene.box(next);
}

function nearest(scene: Scene, at: SceneBox, candidates: readonly number[]): SceneBox | null {
  const { x, y } = scene.picture.boxes;
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const i of candidates) {
    const distance = Math.hypot((x[i] ?? 0) - at.x, 2 * ((y[i] ?? 0) - at.y));
    if (distance < least) [best, least] = [i, distance];
  }
  return best === null ? null : scene.box(best);
}
