/** The file that an object's CO-RE relocations are resolved against, ready to be drawn from. Not in the first script. */
import type { CoreTarget } from '#analysis/core/target.ts';
import type { TypeTable } from '#model/type-table.ts';
import { coreTargetOf } from '#worker/core-answers.ts';
import { useCoreTargetId } from './core-view.ts';
import { type FileId, fileById, typesOf, useSession } from './session.ts';

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
  return { id: file.id, name, isItself: file.id === object, types, target: targetOf(name, types) };
}

const targets = new WeakMap<TypeTable, CoreTarget>();

/** One object for each table, so that what is drawn from it is not worked out anew. */
function targetOf(name: string, types: TypeTable): CoreTarget {
  let target = targets.get(types);
  if (target === undefined) {
    target = coreTargetOf(name, types);
    targets.set(types, target);
  }
  return target;
}
