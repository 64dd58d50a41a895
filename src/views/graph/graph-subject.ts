/** Root and path of the graph, from the selection. */
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
import type { FileId } from '#store/session/session.ts';
import { graphState } from './state.ts';

export type GraphSubject = {
  readonly type: TypeId;
  readonly steps: readonly LitStep[];
  /** Selected step of the path; null for the whole path. */
  readonly step: number | null;
  /** Indexes of the access string of a selected CO-RE record; null for other selections. */
  readonly path: readonly PathPart[] | null;
};

/** Index of an access string, with the raw name of the member that it selects. */
export type PathPart = {
  /** Position in the access string. */
  readonly step: number;
  readonly text: string;
  readonly name: string;
};

/** Returns the type of the selection and the path to highlight; null if it has no type. */
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

type Kept = Readonly<Record<'depth' | 'open' | 'hide', string | null>>;

/** Returns the request to the worker. */
function requestOf({ type, steps, path }: GraphSubject, kept: Kept): GraphRequest {
  // A click on a row only highlights it; a path from another view expands the types that it passes.
  const passed = pathTypes(steps).filter((id) => path !== null || id !== type);
  return {
    selected: type,
    depth: /^[123]$/.test(kept.depth ?? '') ? Number(kept.depth) : 0,
    open: kept.open ?? '',
    hide: kept.hide,
    path: passed,
    forced: forcedBy(steps),
  };
}

/** Returns the graph of a subject; null until the worker has laid it out. */
export function useGraph(id: FileId, types: TypeTable, subject: GraphSubject): Scene | null {
  const { depth, open, hide } = graphState.useOf(id);
  const { value } = useAnswer(id, 'graph', requestOf(subject, { depth, open, hide }));
  return useMemo(() => (value === null ? null : sceneOf(types, value)), [types, value]);
}
