/** Whether objects load on other open files, each judged by the kernel's worker; and what a person says of a kernel. */
import type { LoadData } from '#analysis/load/load-object.ts';
import type { About } from '#analysis/load/program-code.ts';
import type { Remedy } from '#analysis/load/remedies.ts';
import { keptIn } from '#bytes/keep.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { KernelFacts, LoadAnswer } from '#worker/load-answers.ts';
import { coreObject } from './core-results.ts';
import { clientOf } from './files.ts';
import { type FileId, fileById, modelOf, session } from './session.ts';
import { revisionKey, type TaskState, Tasks } from './tasks.ts';
import { ViewState } from './view-state.ts';

export type { FactNote, KernelFacts } from '#worker/load-answers.ts';
export type LoadTask = TaskState<LoadAnswer>;

export type LoadPairOfFiles = { readonly object: FileId; readonly kernel: FileId };

const tasks = new Tasks<LoadAnswer>();
const objects = new WeakMap<ObjectModel, Promise<LoadData | null>>();

/** `key` is another after each change. */
type KeptFacts = KernelFacts & { readonly key: number };

const NO_FACTS: KeptFacts = {
  key: 0,
  files: [],
  isComplete: false,
  release: null,
  unameVersion: null,
};

const factsState = new ViewState<KeptFacts>('kernel-facts', NO_FACTS);
let lastKey = 0;

/** What a person says of an open kernel beside its BTF. */
export function factsOf(kernel: FileId): KeptFacts {
  return factsState.of(fileById(session.getState(), kernel));
}

/** The same; draws again when it changes. */
export function useFacts(kernel: FileId): KernelFacts {
  return factsState.useOf(kernel);
}

/** Says more of a kernel, or less. What was worked out with what was said before is dropped. */
export function setFacts(kernel: FileId, patch: Partial<KernelFacts>): void {
  factsState.set({ ...patch, key: ++lastKey }, kernel);
  const belongs = revisionKey(kernel);
  tasks.forget((key) => key.split(':')[1] === belongs);
}

/** Of a file that cannot be read: the worker says that it is empty. */
const NO_BYTES = new ArrayBuffer(0);

/** Attaches modules, a configuration or symbols to a kernel. Resolves when they can be read by its worker. */
export async function attachFiles(kernel: FileId, given: readonly File[]): Promise<void> {
  const files = await Promise.all(
    // Workers of a page on disk cannot read a Blob of the page in WebKitGTK: there they get the bytes.
    given.map(async (file) => ({
      key: ++lastKey,
      name: file.name,
      file: globalThis.origin === 'null' ? await file.arrayBuffer().catch(() => NO_BYTES) : file,
    })),
  );
  setFacts(kernel, { files: [...factsOf(kernel).files, ...files] });
}

/** All verdicts that are known: see `loadOutcome`. */
export function useLoadOutcomes(): ReadonlyMap<string, LoadTask> {
  return tasks.use((known) => known);
}

/** The verdict of a pair among `known`. */
export function loadOutcome(
  known: ReadonlyMap<string, LoadTask>,
  pair: LoadPairOfFiles,
): LoadTask | null {
  return known.get(keyOf(pair)) ?? null;
}

/** Judges a pair, unless that is done or going on. Settles when it has ended: with the answer, or null in any other way. */
export async function judgePair(pair: LoadPairOfFiles): Promise<LoadAnswer | null> {
  const { key: _, ...facts } = factsOf(pair.kernel);
  const key = keyOf(pair);
  await tasks.run(key, async (options) => {
    const object = await openedObject(pair.object);
    if (object === null || options.signal?.aborted) return null;
    return clientOf(pair.kernel)?.call('judgeLoad', { object, facts }, options);
  });
  const state = tasks.get(key);
  return state?.step === 'ready' ? state.value : null;
}

/**
 * What to change so that the object gets past a reason on all of `kernels`, which have it, and still
 * loads on others. The ones that work on most of them first.
 */
export async function remediesOn(
  id: FileId,
  kernels: readonly FileId[],
  about: About,
): Promise<readonly Remedy[]> {
  const object = await openedObject(id);
  if (object === null) return [];
  const answers = await Promise.all(
    kernels.map((kernel) => {
      const { key: _, ...facts } = factsOf(kernel);
      return clientOf(kernel)?.call('remedies', { object, facts, about });
    }),
  );
  const shared = new Map<string, Remedy>();
  for (const answer of answers) {
    for (const remedy of (answer?.ok === true ? answer.value : null) ?? []) {
      const works = remedy.works + (shared.get(remedy.code)?.works ?? 0);
      shared.set(remedy.code, { ...remedy, works, kernels: kernels.length });
    }
  }
  return [...shared.values()].toSorted((a, b) => b.works - a.works);
}

function keyOf({ object, kernel }: LoadPairOfFiles): string {
  return `${revisionKey(object)}:${revisionKey(kernel)}:${factsOf(kernel).key}`;
}

/** An open object as libbpf opens it; null where it is no BPF object. Asked for once for a model. */
export function openedObject(id: FileId): Promise<LoadData | null> {
  const model = modelOf(fileById(session.getState(), id));
  if (model === null) return Promise.resolve(null);
  return keptIn(objects, model, () => openObject(id, model));
}

async function openObject(id: FileId, model: ObjectModel): Promise<LoadData | null> {
  const [core, opened] = await Promise.all([
    coreObject(id),
    clientOf(id)?.call('loadObject', null),
  ]);
  if (opened?.ok !== true || opened.value === null) return null;
  return { ...opened.value, model, core };
}
