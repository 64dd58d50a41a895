/**
 * What the CO-RE relocations of an open object come to on the other open files.
 *
 * Any open file with types can be a target. Its own worker does the work: the
 * object's side is small and is sent there, so that no kernel is copied, and
 * several targets are worked on at the same time.
 */
import { create } from 'zustand';
import { type CoreObject, coreObjectOf } from '#analysis/core/core-object.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesOf } from './bytes-cache.ts';
import { clientOf, onClosed } from './files.ts';
import { baseChoice, type FileId, fileById, session } from './session.ts';

export type CoreOutcome =
  | { readonly step: 'running'; readonly done: number; readonly total: number }
  | { readonly step: 'ready'; readonly results: readonly CoreResult[] }
  | { readonly step: 'failed'; readonly issue: Issue };

/** Who is resolved against whom. `fresh`: a fresh list of candidates for every record. */
export type CorePair = {
  readonly object: FileId;
  readonly target: FileId;
  readonly fresh: boolean;
};

type State = { readonly outcomes: ReadonlyMap<string, CoreOutcome> };

const useOutcomes = create<State>(() => ({ outcomes: new Map() }));
const running = new Map<string, AbortController>();
const objects = new WeakMap<ObjectModel, Promise<CoreObject | null>>();

/** The outcome of a pair as far as it is known; null before it is asked for. Draws again when it changes. */
export function useCoreOutcome(pair: CorePair): CoreOutcome | null {
  return useOutcomes((state) => state.outcomes.get(keyOf(pair)) ?? null);
}

/** All outcomes that are known, for views that show many at a time: see `coreOutcome`. */
export function useCoreOutcomes(): ReadonlyMap<string, CoreOutcome> {
  return useOutcomes((state) => state.outcomes);
}

/** The outcome of a pair among `outcomes`. */
export function coreOutcome(
  outcomes: ReadonlyMap<string, CoreOutcome>,
  pair: CorePair,
): CoreOutcome | null {
  return outcomes.get(keyOf(pair)) ?? null;
}

/** Works a pair out, unless that is done or going on. Settles when it has ended, in whatever way. */
export async function resolveCore(pair: CorePair): Promise<void> {
  const key = keyOf(pair);
  const known = useOutcomes.getState().outcomes.get(key);
  if (known !== undefined && known.step !== 'failed') return;
  const controller = new AbortController();
  running.set(key, controller);
  put(key, { step: 'running', done: 0, total: 0 });
  const object = await coreObject(pair.object);
  const outcome =
    object === null || controller.signal.aborted
      ? null
      : await clientOf(pair.target)?.call(
          'resolveCore',
          { object, fresh: pair.fresh },
          {
            signal: controller.signal,
            onProgress: ({ done, total }) => {
              if (running.get(key) === controller) put(key, { step: 'running', done, total });
            },
          },
        );
  // Cancelled, or asked anew meanwhile: whoever did that has said what holds now.
  if (running.get(key) !== controller) return;
  running.delete(key);
  if (!outcome) put(key, null);
  else {
    put(
      key,
      outcome.ok
        ? { step: 'ready', results: outcome.value }
        : { step: 'failed', issue: outcome.issue },
    );
  }
}

/** Stops what is going on for an object, on one target or on all. What is ready stays. */
export function cancelCore(object: FileId, target: FileId | null = null): void {
  for (const [key, controller] of [...running]) {
    if (!key.startsWith(target === null ? `${object}:` : `${object}:${target}:`)) continue;
    running.delete(key);
    controller.abort();
    put(key, null);
  }
}

/** One record with every step of the comparison. Null where it cannot be had. */
export async function explainCore(
  pair: CorePair,
  row: number,
  signal: AbortSignal,
): Promise<CoreResult | null> {
  const object = await coreObject(pair.object);
  if (object === null) return null;
  const { fresh } = pair;
  const outcome = await clientOf(pair.target)?.call(
    'explainCore',
    { object, fresh, row },
    { signal },
  );
  return outcome?.ok ? outcome.value : null;
}

/** The CO-RE side of an open object; null where it has none. Its code is read once for a model. */
export function coreObject(id: FileId): Promise<CoreObject | null> {
  const status = fileById(session.getState(), id)?.status;
  if (status?.step !== 'ready') return Promise.resolve(null);
  const { model } = status;
  let object = objects.get(model);
  if (object === undefined) {
    object = readCoreObject(id, model);
    objects.set(model, object);
  }
  return object;
}

async function readCoreObject(id: FileId, model: ObjectModel): Promise<CoreObject | null> {
  const code = new Map<number, Uint8Array>();
  for (const section of new Set(model.ext.core.section)) {
    if (section < 0) continue;
    const start = model.sections.fileOffset[section] ?? 0;
    const length = model.sections.byteLength[section] ?? 0;
    code.set(section, await bytesOf(id, start, start + length));
  }
  return coreObjectOf(model, (section) => code.get(section) ?? null);
}

/** Outcomes of a file that is read again on another base are others. */
function keyOf({ object, target, fresh }: CorePair): string {
  const { reading } = baseChoice(fileById(session.getState(), target));
  return `${object}:${target}:${reading}:${fresh}`;
}

function put(key: string, outcome: CoreOutcome | null): void {
  useOutcomes.setState(({ outcomes }) => {
    const next = new Map(outcomes);
    if (outcome === null) next.delete(key);
    else next.set(key, outcome);
    return { outcomes: next };
  });
}

onClosed((id) => {
  for (const key of [...useOutcomes.getState().outcomes.keys()]) {
    const [object, target] = key.split(':');
    if (object !== `${id}` && target !== `${id}`) continue;
    running.get(key)?.abort();
    running.delete(key);
    put(key, null);
  }
});
