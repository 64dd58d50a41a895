/** Results of an object's CO-RE relocations on other open files, each worked out by the target's worker. */
import {
  type CoreObject,
  readCoreObject,
  type TriedAccess,
  withoutInsns,
} from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { keptIn } from '#bytes/keep.ts';
import type { Progress } from '#bytes/slices.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesOf } from '#store/session/bytes-cache.ts';
import { askKernel, clientOf } from '#store/session/files.ts';
import { type FileId, fileById, session } from '#store/session/session.ts';
import { revisionKey, type TaskState, Tasks } from '#store/session/tasks.ts';
import type { Outcome } from '#worker/client.ts';
import type { Methods } from '#worker/protocol.ts';
import { factsOf, moduleKeysOf, useFacts } from './kernel-facts.ts';

/** The results of all records of an object on one target. */
export type CoreTask = TaskState<readonly CoreResult[]>;

/** Who is resolved against whom. `fresh`: the candidates are reset for each record. */
export type CorePair = {
  readonly object: FileId;
  readonly target: FileId;
  readonly fresh: boolean;
};

const tasks = new Tasks<readonly CoreResult[]>();
const objects = new WeakMap<ObjectModel, Promise<CoreObject | null>>();

/** The results of a pair as far as they are known; null before they are asked for. Draws again when they change. */
export function useCoreOutcome(pair: CorePair): CoreTask | null {
  useFacts(pair.target);
  return tasks.use((known) => known.get(keyOf(pair)) ?? null);
}

/** All results that are known, for views that show many at a time: see `coreOutcome`. */
export function useCoreOutcomes(): ReadonlyMap<string, CoreTask> {
  return tasks.use((known) => known);
}

/** The results of a pair among `known`. */
export function coreOutcome(known: ReadonlyMap<string, CoreTask>, pair: CorePair): CoreTask | null {
  return known.get(keyOf(pair)) ?? null;
}

/** Resolves a pair, unless that is done or going on. Settles when it has ended, in whatever way. */
export async function resolveCore(pair: CorePair): Promise<void> {
  await tasks.run(keyOf(pair), async (options) => {
    const object = await coreObject(pair.object);
    if (object === null || options.signal?.aborted) return null;
    const { fresh, target } = pair;
    const params = { object, fresh, facts: factsOf(target) };
    return askKernel(target, 'resolveCore', params, options);
  });
}

/** Stops what is going on for an object, on one target or on all. What is ready stays. */
export function cancelCore(object: FileId, target: FileId | null = null): void {
  const belongs = (key: string) => {
    const [ofObject, onTarget] = key.split(':');
    return (
      ofObject === revisionKey(object) && (target === null || onTarget === revisionKey(target))
    );
  };
  tasks.forget((key, { step }) => step === 'running' && belongs(key));
}

/** One record with every step of the comparison. Null where it cannot be had. */
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

/** The CO-RE side of an open object; null where it has none. Its code is read once for a model. */
export function coreObject(id: FileId): Promise<CoreObject | null> {
  const status = fileById(session.getState(), id)?.status;
  if (status?.step !== 'ready') return Promise.resolve(null);
  const { model } = status;
  return keptIn(objects, model, () =>
    readCoreObject(model, (start, end) => bytesOf(id, start, end)),
  );
}

function keyOf({ object, target, fresh }: CorePair): string {
  return `${revisionKey(object)}:${revisionKey(target)}:${fresh}:${moduleKeysOf(target).join()}`;
}

/** What each of the kinds comes to on `target`, in order; null where that was cancelled or failed. */
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

/** The minimal BTF of `target` for the relocations of `object`; null where one of them has nothing to give. */
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
