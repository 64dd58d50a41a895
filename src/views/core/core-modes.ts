/** Which parts of the tab a file can be looked at in. */
import type { ObjectModel } from '#model/object-model.ts';
import type { CoreMode } from '#store/core-view.ts';

const WITH_RECORDS: readonly CoreMode[] = ['records', 'matrix', 'log', 'playground', 'needs'];
/** A kernel has no records of its own; logs and access strings can be tried on its types. */
const TYPES_ONLY: readonly CoreMode[] = ['playground', 'log'];

/** The parts that have something to show; none for a file without types and records. */
export function modesOf(model: ObjectModel): readonly CoreMode[] {
  if (model.ext.core.count > 0) return WITH_RECORDS;
  return model.types === null ? [] : TYPES_ONLY;
}

/** The part that is shown: the one that was asked for, where the file has it, else its first. */
export function shownMode(modes: readonly CoreMode[], wanted: CoreMode): CoreMode | null {
  return modes.includes(wanted) ? wanted : (modes[0] ?? null);
}
