import { useMemo } from 'react';
import { type Scene, sceneOf } from '#analysis/graph/scene.ts';
import type { TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { useViewParam } from '#store/view-state.ts';
import { type GraphSubject, requestOf } from './graph-subject.ts';

/** The graph of a subject as the address has it; null until the worker has laid it out. */
export function useGraph(id: FileId, types: TypeTable, subject: GraphSubject): Scene | null {
  const depth = useViewParam(id, 'graph', 'depth');
  const open = useViewParam(id, 'graph', 'open');
  const hide = useViewParam(id, 'graph', 'hide');
  const { value } = useAnswer(id, 'graph', requestOf(subject, { depth, open, hide }));
  return useMemo(() => (value === null ? null : sceneOf(types, value)), [types, value]);
}
