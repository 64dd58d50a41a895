/** Comparisons of open files and their duplicate types, found by the workers of the files. */
import type { WholeComparison } from '#analysis/compare/compare-tables.ts';
import type { DuplicateGroup } from '#analysis/compare/duplicates.ts';
import { clientOf } from '#store/session/files.ts';
import { type FileId, fileById, session, typesOf } from '#store/session/session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from '#store/session/tasks.ts';

const wholes = new Tasks<TaskKey, WholeComparison>();
const duplicates = new Tasks<TaskKey, readonly DuplicateGroup[]>();

/** Returns the state of the comparison of two files; null before it is requested. */
export function useWholeComparison(a: FileId, b: FileId | null): TaskState<WholeComparison> | null {
  return wholes.useTask(() => taskKey(a, b));
}

/** Returns the state of the search for types that share a name; null before it is requested. */
export function useDuplicates(id: FileId): TaskState<readonly DuplicateGroup[]> | null {
  return duplicates.useTask(() => taskKey(id));
}

/** Compares all types of two files, unless that is done or going on. */
export async function compareWhole(a: FileId, b: FileId): Promise<void> {
  const other = typesOf(fileById(session.getState(), b));
  const client = clientOf(a);
  if (other === null || client === null) return;
  await wholes.run(taskKey(a, b), (options) => client.call('compare', { other }, options));
}

/** Finds the types of a file that share a name, unless that is done or going on. */
export async function findDuplicates(id: FileId): Promise<void> {
  await duplicates.run(taskKey(id), async (options) =>
    clientOf(id)?.call('duplicates', null, options),
  );
}

/** Stops the comparison of two files; it can be started again. */
export function stopComparing(a: FileId, b: FileId): void {
  wholes.stop(taskKey(a, b));
}

/** Stops the search for types that share a name; it can be started again. */
export function stopDuplicates(id: FileId): void {
  duplicates.stop(taskKey(id));
}

function taskKey(...ids: readonly (FileId | null)[]): TaskKey {
  return { files: ids.filter((id) => id !== null).map(revisionOf) };
}
