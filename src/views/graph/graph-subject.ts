/** Root and path of the graph by selection. */
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
  /** The step of the path that is selected; null for all of it. */
  readonly step: number | null;
  /** The access string where the selection is a CO-RE record, number by number; else null. */
  readonly path: readonly PathPart[] | null;
};

/** An index of an access string, with its member if it selects one. Raw text. */
export type PathPart = {
  /** Its place in the string. */
  readonly step: number;
  readonly text: string;
  readonly name: string;
};

/**
 * Returns the type that the selection is about and the path that it lights; null where it is
 * about no type.
 */
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

/** Request to the worker: the subject and the parameters of the address. */
function requestOf({ type, steps, path }: GraphSubject, kept: Kept): GraphRequest {
  // A click on a row lights it; only a path that comes from elsewhere unfolds what it passes.
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

/** Returns the graph of a subject as the address has it; null until the worker has laid it out. */
export function useGraph(id: FileId, types: TypeTable, subject: GraphSubject): Scene | null {
  const { depth, open, hide } = graphState.useOf(id);
  const { value } = useAnswer(id, 'graph', requestOf(subject, { depth, open, hide }));
  return useMemo(() => (value === null ? null : sceneOf(types, value)), [types, value]);
}
