/** Verdicts on loading an object on other open files, from the kernel's worker. */
import type { LoadData } from '#analysis/libbpf/open.ts';
import { mergedRemedies, type Remedy, type RemedyReason } from '#analysis/load/remedies.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { askKernel, clientOf, onClosed } from '#store/session/files.ts';
import { type FileId, fileNow, modelOf } from '#store/session/session.ts';
import {
  type KnownTasks,
  revisionOf,
  sameRevisions,
  type TaskKey,
  type TaskState,
  Tasks,
  taskState,
} from '#store/session/tasks.ts';
import type { LoadAnswer } from '#worker/load-answers.ts';
import { coreObject } from './core-results.ts';
import { factsOf, noteFiles } from './kernel-facts.ts';

export type LoadTask = TaskState<LoadAnswer>;

export type LoadPairOfFiles = { readonly object: FileId; readonly kernel: FileId };

/** Key of a verdict; `facts` is the `key` of the facts about the kernel. */
export type LoadKey = TaskKey & { readonly facts: number };
type LoadTasks = KnownTasks<LoadKey, LoadAnswer>;

const tasks = new Tasks<LoadKey, LoadAnswer>();
const objects = new WeakMap<ObjectModel, Promise<LoadData | null>>();

/** Returns all known verdicts; read them with `loadOutcome`. React hook. */
export function useLoadOutcomes(): LoadTasks {
  return tasks.use((known) => known);
}

/** Returns the verdict on a pair in `known`; null if `known` has none. */
export function loadOutcome(known: LoadTasks, pair: LoadPairOfFiles): LoadTask | null {
  return taskState(known, pairKey(pair));
}

/** Judges a pair, unless it is judged or running. Resolves to the verdict, or null. */
export async function judgePair(pair: LoadPairOfFiles): Promise<LoadAnswer | null> {
  const { key: _, ...facts } = factsOf(pair.kernel);
  const key = pairKey(pair);
  // Drops verdicts that were based on earlier facts about the kernel.
  tasks.forget((other) => other.facts !== key.facts && sameRevisions(other.files, key.files));
  await tasks.run(key, async (options) => {
    const object = await openedObject(pair.object);
    if (object === null || options.signal?.aborted) return null;
    const outcome = await askKernel(pair.kernel, 'judgeLoad', { object, facts }, options);
    if (outcome?.ok && outcome.value !== null) noteFiles(facts, outcome.value.notes);
    return outcome;
  });
  const state = tasks.get(key);
  return state?.step === 'ready' ? state.value : null;
}

/** Returns changes that help the object load, first those that help on the most of `kernels`. */
export async function remediesOn(
  id: FileId,
  kernels: readonly FileId[],
  reason: RemedyReason,
): Promise<readonly Remedy[]> {
  const object = await openedObject(id);
  if (object === null) return [];
  const answers = await Promise.all(
    kernels.map((kernel) => {
      const { about, source } = reason;
      const key = JSON.stringify([pairKey({ object: id, kernel }), about ?? null, source]);
      return getOrCreate(remedies, key, () => askRemedies(object, kernel, reason));
    }),
  );
  return mergedRemedies(answers, kernels.length);
}

/** Remedies for a reason on a kernel: several parts of the page ask for the same ones. */
const remedies = new Map<string, Promise<readonly Remedy[]>>();
onClosed(() => remedies.clear());

async function askRemedies(
  object: LoadData,
  kernel: FileId,
  reason: RemedyReason,
): Promise<readonly Remedy[]> {
  const { key: _, ...facts } = factsOf(kernel);
  const answer = await askKernel(kernel, 'remedies', { object, facts, reason });
  return (answer?.ok === true ? answer.value : null) ?? [];
}

/** Returns the key of an answer on a pair: it changes with the files and the facts. */
export function pairKey({ object, kernel }: LoadPairOfFiles): LoadKey {
  return { files: [object, kernel].map(revisionOf), facts: factsOf(kernel).key };
}

/** Returns an open object as libbpf opens it; null if the file is not a BPF object. */
export function openedObject(id: FileId): Promise<LoadData | null> {
  const model = modelOf(fileNow(id));
  if (model === null) return Promise.resolve(null);
  return getOrCreate(objects, model, () => openObject(id, model));
}

async function openObject(id: FileId, model: ObjectModel): Promise<LoadData | null> {
  const [core, opened] = await Promise.all([
    coreObject(id),
    clientOf(id)?.call('loadObject', null),
  ]);
  if (opened?.ok !== true || opened.value === null) return null;
  return { ...opened.value, model, core };
}
