/** Results of an object's CO-RE relocations on other open files, computed by the target's worker. */

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

/** Results of all records of an object on one target. */
export type CoreTask = TaskState<readonly CoreResult[]>;

/** An object and its target. `fresh`: the candidates are reset for each record. */
export type CorePair = {
  readonly object: FileId;
  readonly target: FileId;
  readonly fresh: boolean;
};

type CoreKey = TaskKey & { readonly fresh: boolean; readonly modules: readonly number[] };
type CoreTasks = KnownTasks<CoreKey, readonly CoreResult[]>;

const tasks = new Tasks<CoreKey, readonly CoreResult[]>();
const objects = new WeakMap<ObjectModel, Promise<CoreObject | null>>();

/** Returns the results of a pair; null before they are requested. A hook. */
export function useCoreOutcome(pair: CorePair): CoreTask | null {
  useFacts(pair.target);
  return tasks.useTask(() => keyOf(pair));
}

/** Returns all known results, for views that show many pairs; `coreOutcome` reads them. A hook. */
export function useCoreOutcomes(): CoreTasks {
  return tasks.use((known) => known);
}

/** Returns the results of a pair in `known`; null if there are none. */
export function coreOutcome(known: CoreTasks, pair: CorePair): CoreTask | null {
  return taskState(known, keyOf(pair));
}

/** Resolves a pair, unless it is resolved or running. Settles when the task ends, also by failure or a stop. */
export async function resolveCore(pair: CorePair): Promise<void> {
  await tasks.run(keyOf(pair), async (options) => {
    const object = await coreObject(pair.object);
    if (object === null || options.signal?.aborted) return null;
    const { fresh, target } = pair;
    const params = { object, fresh, facts: factsOf(target) };
    return askKernel(target, 'resolveCore', params, options);
  });
}

/** Stops running tasks of an object, on one target or on all. Finished results stay. */
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

/** Returns the CO-RE records of an open object with their instructions, read once per model; null without records. */
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

/** Returns the result of each kind on `target`, in order; null if the request failed or was cancelled. */
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

/** Returns the minimal BTF of `target` for the relocations of `object`; null if either has no types or records. */
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
