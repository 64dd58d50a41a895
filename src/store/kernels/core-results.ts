/** Results of an object's CO-RE relocations on other open files, from the target's worker. */

import { useMemo } from 'react';
import type { CoreTarget } from '#analysis/core/candidates.ts';
import {
  type CoreObject,
  readCoreObject,
  type TriedAccess,
  withoutInsns,
} from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { readBytes } from '#store/session/bytes-cache.ts';
import { askKernel, clientOf } from '#store/session/files.ts';
import { type FileId, fileById, fileNow, typesOf, useSession } from '#store/session/session.ts';
import {
  type KnownTasks,
  revisionOf,
  sameRevisions,
  type TaskKey,
  type TaskState,
  Tasks,
  taskState,
} from '#store/session/tasks.ts';
import type { Outcome } from '#worker/client.ts';
import { coreTargetOf } from '#worker/core-answers.ts';
import type { Methods } from '#worker/protocol.ts';
import { useCoreTargetId } from './core-view.ts';
import { factsOf, moduleKeysOf, useFacts } from './kernel-facts.ts';

/** State of a request: the results of all CO-RE records of an object on one target. */
export type CoreTask = TaskState<readonly CoreResult[]>;

/** An object and its target. `fresh` resets the candidates for each record. */
export type CorePair = {
  readonly object: FileId;
  readonly target: FileId;
  readonly fresh: boolean;
};

type CoreKey = TaskKey & { readonly fresh: boolean; readonly modules: readonly number[] };
type CoreTasks = KnownTasks<CoreKey, readonly CoreResult[]>;

const tasks = new Tasks<CoreKey, readonly CoreResult[]>();
const objects = new WeakMap<ObjectModel, Promise<CoreObject | null>>();

/** Returns the results of a pair; null before they are requested. React hook. */
export function useCoreOutcome(pair: CorePair): CoreTask | null {
  useFacts(pair.target);
  return tasks.useTask(() => keyOf(pair));
}

/** Returns all known results, for views that show many pairs; see `coreOutcome`. React hook. */
export function useCoreOutcomes(): CoreTasks {
  return tasks.use((known) => known);
}

/** Returns the results of a pair in `known`; null if there are none. */
export function coreOutcome(known: CoreTasks, pair: CorePair): CoreTask | null {
  return taskState(known, keyOf(pair));
}

/** Resolves a pair, unless it is resolved or running. Settles when the task ends in any way. */
export async function resolveCore(pair: CorePair): Promise<void> {
  await tasks.run(keyOf(pair), async (options) => {
    const object = await coreObject(pair.object);
    if (object === null || options.signal?.aborted) return null;
    const { fresh, target } = pair;
    const params = { object, fresh, facts: factsOf(target) };
    return askKernel(target, 'resolveCore', params, options);
  });
}

/** Stops the running tasks of an object on one target, or on all. Finished results stay. */
export function cancelCore(object: FileId, target: FileId | null = null): void {
  const cancelled = [object, ...(target === null ? [] : [target])].map(revisionOf);
  tasks.forget(
    ({ files }, { step }) =>
      step === 'running' && sameRevisions(files.slice(0, cancelled.length), cancelled),
  );
}

/** Returns the result of one record with every step of the comparison; null on failure. */
export async function explainCore(
  pair: CorePair,
  row: number,
  signal: AbortSignal,
): Promise<CoreResult | null> {
  const object = await coreObject(pair.object);
  if (object === null) return null;
  const { fresh, target } = pair;
  const params = { object, fresh, row, facts: factsOf(target) };
  const outcome = await askKernel(target, 'explainCore', params, { signal });
  return outcome?.ok ? outcome.value : null;
}

/** Returns the CO-RE records and instructions of an open object; null if it has no records. */
export function coreObject(id: FileId): Promise<CoreObject | null> {
  const status = fileNow(id)?.status;
  if (status?.step !== 'ready') return Promise.resolve(null);
  const { model } = status;
  return getOrCreate(objects, model, () =>
    readCoreObject(model, (start, end) => readBytes(id, start, end)),
  );
}

function keyOf({ object, target, fresh }: CorePair): CoreKey {
  return { files: [object, target].map(revisionOf), fresh, modules: moduleKeysOf(target) };
}

/** Returns the results on `target`, one per relocation kind; null if the request fails. */
export async function tryAccess(
  target: FileId,
  tried: TriedAccess,
  signal: AbortSignal,
): Promise<readonly CoreResult[] | null> {
  const outcome = await askKernel(
    target,
    'resolveCore',
    { object: withoutInsns(tried), fresh: true, facts: factsOf(target) },
    { signal },
  );
  return outcome?.ok ? outcome.value : null;
}

export type MinBtfAnswer = NonNullable<Methods['minBtf']['result']>;
export type MinBtfOutcome = Outcome<MinBtfAnswer>;

/** Returns the minimal BTF of `target` for `object`; null if a file lacks types or records. */
export async function minBtfOf(
  object: FileId,
  target: FileId,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<MinBtfOutcome | null> {
  const local = await coreObject(object);
  if (local === null) return null;
  const outcome = await clientOf(target)?.call(
    'minBtf',
    { object: local, fresh: false },
    { signal, onProgress },
  );
  if (outcome?.ok !== true) return outcome ?? null;
  return outcome.value === null ? null : { ok: true, value: outcome.value };
}

export type ChosenTarget = {
  readonly id: FileId;
  /** Name of the target file, not escaped. */
  readonly name: string;
  /** True if the target is the object itself. */
  readonly isItself: boolean;
  readonly types: TypeTable;
  /** Type tables of the target; `Candidate.table` is an index into them. */
  readonly target: CoreTarget;
};

/** Returns the chosen target of `object`; null if no target with types is chosen. */
export function useCoreTarget(object: FileId): ChosenTarget | null {
  const id = useCoreTargetId(object);
  const file = useSession((state) => fileById(state, id));
  return useMemo(() => {
    const types = typesOf(file);
    if (file === null || types === null) return null;
    const { name } = file;
    const target = getOrCreate(targets, types, () => coreTargetOf(name, types));
    return { id: file.id, name, isItself: file.id === object, types, target };
  }, [file, object]);
}

/** Target of each type table, always the same object, so that memoised components do not redraw. */
const targets = new WeakMap<TypeTable, CoreTarget>();
