/** The target of an object's CO-RE relocations with its types. Loaded lazily, outside of the first script. */
import type { CoreTarget } from '#analysis/core/target.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type FileId, fileById, typesOf, useSession } from '#store/session/session.ts';
import { coreTargetOf } from '#worker/core-answers.ts';
import { useCoreTargetId } from './core-view.ts';

export type ChosenTarget = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  /** Whether the target is the object itself. */
  readonly isItself: boolean;
  readonly types: TypeTable;
  /** The tables that the worker resolves against; `Candidate.table` is an index into them. */
  readonly target: CoreTarget;
};

/** Returns the chosen target of `object`; null if none is chosen or it has no types. */
export function useCoreTarget(object: FileId): ChosenTarget | null {
  const id = useCoreTargetId(object);
  const file = useSession((state) => fileById(state, id));
  const types = typesOf(file);
  if (file === null || types === null) return null;
  const { name } = file;
  const target = getOrCreate(targets, types, () => coreTargetOf(name, types));
  return { id: file.id, name, isItself: file.id === object, types, target };
}

/** One target per type table, so that memoised components keep their results. */
const targets = new WeakMap<TypeTable, CoreTarget>();
