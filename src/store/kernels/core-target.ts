/** The file that an object's CO-RE relocations are resolved against, ready to be drawn from. Not in the first script. */
import type { CoreTarget } from '#analysis/core/target.ts';
import { keptIn } from '#bytes/keep.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type FileId, fileById, typesOf, useSession } from '#store/session/session.ts';
import { coreTargetOf } from '#worker/core-answers.ts';
import { useCoreTargetId } from './core-view.ts';

export type ChosenTarget = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  /** Is it the object itself? */
  readonly isItself: boolean;
  readonly types: TypeTable;
  /** The same tables as its worker resolves against: `Candidate.table` counts in them. */
  readonly target: CoreTarget;
};

/** The target that `object` is looked at with; null while none is chosen, or it has no types. */
export function useCoreTarget(object: FileId): ChosenTarget | null {
  const id = useCoreTargetId(object);
  const file = useSession((state) => fileById(state, id));
  const types = typesOf(file);
  if (file === null || types === null) return null;
  const { name } = file;
  const target = keptIn(targets, types, () => coreTargetOf(name, types));
  return { id: file.id, name, isItself: file.id === object, types, target };
}

/** One object for each table, so that what is drawn from it is not worked out anew. */
const targets = new WeakMap<TypeTable, CoreTarget>();
