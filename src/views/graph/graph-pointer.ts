/** What a press in the graph means: by the element where there is text, by its place on the canvas. */
import type { Scene } from '#analysis/graph/scene.ts';
import type { TypeTable } from '#model/type-table.ts';
import { boxesIn } from './camera.ts';
import { selectNode, showAllRows, showPassed, toggleNode } from './graph-actions.ts';

export type GraphTarget = {
  /** Number of the box, or null. */
  readonly box: number | null;
  /** The row, -1 for the header. */
  readonly row: number;
  readonly isButton: boolean;
  /** The edge whose label it is, or null. */
  readonly link: number | null;
};

const NOWHERE: GraphTarget = { box: null, row: -1, isButton: false, link: null };

/** What lies at `point`, in units of the graph, or is `target`. */
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

/** Does what a press there means. */
export function actOn(types: TypeTable, scene: Scene, target: GraphTarget): void {
  if (target.link !== null) {
    showPassed(types, scene, target.link);
    return;
  }
  if (target.box === null) return;
  const box = scene.box(target.box);
  const { rows } = box.text;
  if (target.isButton) toggleNode(types, scene, box);
  else if (target.row >= rows.length) showAllRows(types, scene, box.type);
  else selectNode(types, scene, box.type, rows[target.row]?.path ?? []);
}
