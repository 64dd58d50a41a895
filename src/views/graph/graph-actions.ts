/** Actions on the graph. Each action changes the address or the selection. */
import { type Family, formatHidden } from '#analysis/graph/entries.ts';
import { type GraphAction, parseOpen, withAction, withoutAction } from '#analysis/graph/grow.ts';
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { boxesIn } from './camera.ts';
import { graphState } from './state.ts';

/** Selects a type or a member, but keeps the root and the boxes of the graph. */
export function selectNode(scene: Scene, type: TypeId, path: readonly number[] = []): void {
  if (type !== scene.picture.root || scene.picture.request.open !== '') keep(scene, []);
  select(typeSelection(type, path));
}

/** Makes a type the root of a new graph. */
export function startAt(type: TypeId): void {
  graphState.set({ open: null });
  select(typeSelection(type));
}

/** Expands or collapses a box. Does nothing for a box without outgoing edges. */
export function toggleNode(scene: Scene, box: SceneBox): void {
  if (box.state === 'leaf') return;
  const verb = box.state === 'expanded' ? 'fold' : 'expand';
  keep(scene, [{ verb, type: box.type }]);
}

/** Adds a type to the graph that refers to another type; removes the type if it is there. */
export function toggleReferrer(scene: Scene, type: TypeId): void {
  const action: GraphAction = { verb: 'referrer', type };
  const { open } = scene.picture.request;
  const without = withoutAction(scene.types, open, action);
  if (without === open) keep(scene, [action]);
  else graphState.set({ open: without === '' ? null : without });
}

/** Returns true if the user has added the type as a referrer. */
export function isReferrerShown(scene: Scene, type: TypeId): boolean {
  const actions = parseOpen(scene.types, scene.picture.request.open);
  return actions.some((action) => action.verb === 'referrer' && action.type === type);
}

/** Writes the root and the expanded boxes of the graph to the address. */
function keep({ types, picture }: Scene, actions: readonly GraphAction[]): void {
  const { request, root } = picture;
  let open = withAction(types, request.open, { verb: 'root', type: root });
  // A record's path is in the graph only while the record is selected: expand the path's types.
  for (const id of request.path)
    open = withAction(types, open, { verb: 'expand', type: typeId(id) });
  for (const action of actions) open = withAction(types, open, action);
  graphState.set({ open });
}

export function toggleFamily(hidden: ReadonlySet<Family>, family: Family): void {
  const next = new Set(hidden);
  if (!next.delete(family)) next.add(family);
  graphState.set({ hide: formatHidden(next) });
}

type GraphTarget = {
  /** Index of the box that was clicked; null outside of boxes. */
  readonly box: number | null;
  /** Row of the box that was clicked; -1 for the header. */
  readonly row: number;
  readonly isButton: boolean;
  /** Index of the edge whose label was clicked; null if no label was clicked. */
  readonly link: number | null;
};

const NOWHERE: GraphTarget = { box: null, row: -1, isButton: false, link: null };

/** Returns the part of the graph that `target` is in, else the box at `point`. */
export function targetOf(
  target: EventTarget,
  scene: Scene,
  point: { readonly x: number; readonly y: number },
): GraphTarget {
  if (!(target instanceof Element)) return NOWHERE;
  const link = numberOf(target.closest('[data-passed]'), 'data-passed');
  if (link !== null) return { ...NOWHERE, link };
  const type = numberOf(target.closest('[data-type]'), 'data-type');
  if (type !== null) {
    return {
      box: scene.indexOf(type),
      row: numberOf(target.closest('[data-row]'), 'data-row') ?? -1,
      isButton: target.closest('[data-action]') !== null,
      link: null,
    };
  }
  const { x, y } = point;
  const [box] = boxesIn(scene, { left: x, right: x, top: y, bottom: y });
  return { ...NOWHERE, box: box ?? null };
}

function numberOf(element: Element | null, name: string): number | null {
  const text = element?.getAttribute(name) ?? '';
  return text === '' ? null : Number(text);
}

/** Carries out a click: adds boxes or rows, expands or collapses a box, or selects a row. */
export function actOn(scene: Scene, target: GraphTarget): void {
  if (target.link !== null) {
    const { chain } = scene.link(target.link);
    keep(
      scene,
      chain.map((type) => ({ verb: 'passed', type })),
    );
    return;
  }
  if (target.box === null) return;
  const box = scene.box(target.box);
  const { rows } = box.text;
  if (target.isButton) toggleNode(scene, box);
  else if (target.row >= rows.length) keep(scene, [{ verb: 'rows', type: box.type }]);
  else selectNode(scene, box.type, rows[target.row]?.path ?? []);
}

/**
 * Returns the box that a key moves to from box `from`; null for other keys. Right and Left follow
 * an edge to a later or an earlier column. Up and Down stay in the column.
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

/** Returns the nearest box at the other end of an edge, in later (1) or earlier (-1) columns. */
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

/** Returns the next box below (1) or above (-1) in the column. Ties are ordered by x. */
function inColumn(scene: Scene, at: SceneBox, side: 1 | -1): SceneBox | null {
  const { x, y, column } = scene.picture.boxes;
  const order = Array.from(column.keys()).filter((i) => column[i] === at.column);
  order.sort((a, b) => (y[a] ?? 0) - (y[b] ?? 0) || (x[a] ?? 0) - (x[b] ?? 0));
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
