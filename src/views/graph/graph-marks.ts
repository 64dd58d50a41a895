/** Marks of boxes, rows and edges in the graph. */

import { useMemo } from 'react';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import {
  forcedBy,
  type LitStep,
  litByAccess,
  litByMembers,
  nodeOf,
  pathTypes,
} from '#analysis/graph/lit.ts';
import { type GraphRequest, type Scene, sceneOf } from '#analysis/graph/scene.ts';
import { selectionType } from '#analysis/selection/selection.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { Pin } from '#store/session/pins.ts';
import type { FileId } from '#store/session/session.ts';
import type { PinsByType } from '#views/parts/PinMark.tsx';
import { graphState } from './state.ts';

export type GraphSubject = {
  readonly type: TypeId;
  readonly steps: readonly LitStep[];
  /** Position of the selected step in the path, from 0; null if the whole path is selected. */
  readonly step: number | null;
  /** Parts of the access string of a selected CO-RE record; null if no such record is selected. */
  readonly path: readonly PathPart[] | null;
};

/** Part of an access string. `name` is the name of the member it selects, not escaped. */
type PathPart = {
  /** Position of the part in the access string. */
  readonly step: number;
  readonly text: string;
  readonly name: string;
};

/** Returns the type of the selection, with the path to highlight; null if there is no type. */
export function subjectOf(
  model: ObjectModel,
  types: TypeTable,
  selection: Selection,
): GraphSubject | null {
  const type = selectionType(model, selection);
  if (type === null) return null;
  if (selection.kind === 'core') {
    const { root, accessStr, kind } = coreRecord(model, selection.core);
    const steps = litByAccess(types, root, accessStr, kind);
    const path = walkAccess(types, root, accessStr, kind).steps.map(({ index, name }, at) => ({
      step: at,
      text: `${index}`,
      name,
    }));
    return { type: nodeOf(types, root), steps, step: selection.step, path };
  }
  const path = selection.kind === 'type' ? selection.memberPath : [];
  return { type, steps: litByMembers(types, type, path), step: path.length - 1, path: null };
}

/** Returns the request for a graph, which the worker answers. */
function requestOf(
  { type, steps, path }: GraphSubject,
  { depth, open, hide }: ReturnType<typeof graphState.useOf>,
): GraphRequest {
  // Expand the types of the path, unless the user has only selected a row of the graph.
  const passed = pathTypes(steps).filter((id) => path !== null || id !== type);
  return {
    selected: type,
    depth: /^[123]$/.test(depth ?? '') ? Number(depth) : 0,
    open: open ?? '',
    hide,
    path: passed,
    forced: forcedBy(steps),
  };
}

/** Returns the graph of a subject; null until the worker has computed the layout. */
export function useGraph(id: FileId, types: TypeTable, subject: GraphSubject): Scene | null {
  const { value } = useAnswer(id, 'graph', requestOf(subject, graphState.useOf(id)));
  return useMemo(() => (value === null ? null : sceneOf(types, value)), [types, value]);
}

/** How a row is marked: `lit` for the path, `strong` for its selected step, `use` for type uses. */
type Strength = 'lit' | 'strong';
type RowMark = Strength | 'use';

export type Marks = {
  /** Index of the selected type's box; null if the type is not in the graph. */
  readonly selected: number | null;
  /** Marks of rows. A key has a box and a row, as `3:0`. Row -1 is the header. */
  readonly rows: ReadonlyMap<string, RowMark>;
  readonly links: ReadonlyMap<number, { readonly strength: Strength; readonly order: string }>;
  /** Edges of the selected box. Empty for the root, since nearly all edges would be marked. */
  readonly near: ReadonlySet<number>;
};

type Selected = Pick<GraphSubject, 'steps' | 'step'> & { readonly type: number };

/** Returns the marks of `scene`. `written` has the highlighted type and pointers to the type. */
export function marksOf(
  scene: Scene,
  { type, steps, step }: Selected,
  written: ReadonlySet<number> | null = null,
): Marks {
  const rows = written === null ? new Map<string, RowMark>() : usesIn(scene, written);
  const links = new Map<number, { readonly strength: Strength; readonly order: string }>();
  for (const lit of steps) {
    const isStrong = step !== null && step >= lit.first && step <= lit.last;
    const strength: Strength = isStrong ? 'strong' : 'lit';
    const box = scene.indexOf(lit.type);
    if (box === null) continue;
    const marked = rowsAt(scene, box, lit.path);
    for (const row of marked) {
      if (rows.get(`${box}:${row}`) !== 'strong') rows.set(`${box}:${row}`, strength);
    }
    const link = lit.to === null ? null : linkAt(scene, box, marked, scene.indexOf(lit.to));
    if (link !== null) links.set(link, { strength, order: `${lit.first}` });
  }
  const selected = scene.indexOf(type);
  const near = new Set<number>();
  if (selected !== null && selected !== 0) {
    for (const link of [...scene.linksFrom(selected), ...scene.linksTo(selected)]) near.add(link);
  }
  return { selected, rows, links, near };
}

/** Returns marks for the boxes of the types in `written`, and for the rows that refer to them. */
function usesIn(scene: Scene, written: ReadonlySet<number>): Map<string, RowMark> {
  const rows = new Map<string, RowMark>();
  for (let index = 0; index < scene.boxCount; index++) {
    const { type, text } = scene.box(index);
    if (written.has(type)) rows.set(`${index}:-1`, 'use');
    for (const [row, { of }] of text.rows.entries()) {
      if (written.has(of)) rows.set(`${index}:${row}`, 'use');
    }
  }
  return rows;
}

/** Pin on a box. Row -1 is the header of the box. */
export type BoxPin = { readonly pin: Pin; readonly row: number };

/** Returns the pins of each box. The key is the index of the box. */
export function pinsIn(scene: Scene, pins: PinsByType): ReadonlyMap<number, readonly BoxPin[]> {
  const boxPins = new Map<number, readonly BoxPin[]>();
  for (const [type, own] of pins) {
    const box = scene.indexOf(type);
    if (box === null) continue;
    boxPins.set(
      box,
      own.map((pin) => {
        const { selection } = pin;
        const path = selection.kind === 'type' ? selection.memberPath : [];
        return { pin, row: rowsAt(scene, box, path)[0] ?? -1 };
      }),
    );
  }
  return boxPins;
}

/** Box under the pointer, with its edges and neighbours. All others are dimmed. */
export type Focus = {
  readonly box: number;
  readonly links: ReadonlySet<number>;
  readonly boxes: ReadonlySet<number>;
};

/** Returns the edges and neighbours of a box, or only those of `row` if the row has edges. */
export function focusOf(scene: Scene, box: number, row = -1): Focus {
  const ofRow = row < 0 ? [] : scene.linksFrom(box).filter((link) => scene.link(link).row === row);
  const links = new Set(
    ofRow.length > 0 ? ofRow : [...scene.linksFrom(box), ...scene.linksTo(box)],
  );
  const boxes = new Set([box]);
  for (const index of links) {
    const { from, to } = scene.link(index);
    boxes.add(from).add(to);
  }
  return { box, links, boxes };
}

/** Returns the boxes with `text` in their name, then those with `text` in a member's name. */
export function matchesIn(scene: Scene, text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const named: number[] = [];
  const having: number[] = [];
  for (let index = 0; index < scene.boxCount; index++) {
    const { text: of } = scene.box(index);
    if (of.name.toLowerCase().includes(wanted)) named.push(index);
    else if (of.rows.some(({ name }) => name.toLowerCase().includes(wanted))) having.push(index);
  }
  return [...named, ...having];
}

/** Returns the rows of the member at `path`. A hidden member has the row "n more". */
function rowsAt(scene: Scene, box: number, path: readonly number[]): number[] {
  if (path.length === 0) return [-1];
  const { text } = scene.box(box);
  const rows = text.rows.flatMap((row, i) => (isWithin(row.path, path) ? [i] : []));
  if (rows.length > 0) return rows;
  return text.rest > 0 ? [text.rows.length] : [-1];
}

function isWithin(row: readonly number[], path: readonly number[]): boolean {
  const length = Math.min(row.length, path.length);
  return length > 0 && row.slice(0, length).every((index, i) => index === path[i]);
}

function linkAt(
  scene: Scene,
  box: number,
  rows: readonly number[],
  to: number | null,
): number | null {
  const links = scene.linksFrom(box).map((index) => scene.link(index));
  return links.find((link) => link.to === to && rows.includes(link.row))?.index ?? null;
}
