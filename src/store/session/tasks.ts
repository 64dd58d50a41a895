/** Long requests to workers: sent once, with progress, and cached while their files are open. */
import { create } from 'zustand';
import type { Issue } from '#bytes/issue.ts';
import type { CallOptions, Outcome } from '#worker/client.ts';
import { onClosed } from './files.ts';
import { baseChoice, type FileId, fileNow, useSession } from './session.ts';

export type TaskState<T> =
  | {
      readonly step: 'running';
      readonly done: number;
      readonly total: number;
      /** First part of the value, if the worker has sent it early. */
      readonly beginning?: T | undefined;
    }
  | { readonly step: 'ready'; readonly value: T }
  | { readonly step: 'failed'; readonly issue: Issue }
  | { readonly step: 'stopped' };

/** A file with a certain base: after a change of the base, answers differ. */
export type Revision = { readonly id: FileId; readonly reading: number };

export function revisionOf(id: FileId): Revision {
  return { id, reading: baseChoice(fileNow(id)).reading };
}

/** Returns true if both lists have the same files with the same bases. */
export function sameRevisions(a: readonly Revision[], b: readonly Revision[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, reading }, i) => id === b[i]?.id && reading === b[i].reading)
  );
}

/** Key of a task; equal JSON means the same task. Closing one of `files` drops the task. */
export type TaskKey = { readonly files: readonly Revision[] };

/** Tasks by the JSON of their keys. */
export type KnownTasks<K, T> = ReadonlyMap<
  string,
  { readonly key: K; readonly state: TaskState<T> }
>;

export function taskState<K, T>(known: KnownTasks<K, T>, key: K): TaskState<T> | null {
  return known.get(JSON.stringify(key))?.state ?? null;
}

export class Tasks<K extends TaskKey, T> {
  /** React hook: calls a selector with all known tasks. */
  readonly use = create<KnownTasks<K, T>>(() => new Map());
  readonly #running = new Map<string, AbortController>();

  constructor() {
    onClosed((id) => this.forget(({ files }) => files.some((file) => file.id === id)));
  }

  get(key: K): TaskState<T> | null {
    return taskState(this.use.getState(), key);
  }

  /** Returns the state of a task. Calls `keyNow` at each change of the session. React hook. */
  useTask(keyNow: () => K): TaskState<T> | null {
    const index = useSession(() => JSON.stringify(keyNow()));
    return this.use((known) => known.get(index)?.state ?? null);
  }

  /** Calls `ask` unless the task is running or ready, and stores its answer, if any. */
  async run(
    key: K,
    ask: (options: CallOptions) => Promise<Outcome<T | null> | null | undefined>,
  ): Promise<void> {
    const step = this.get(key)?.step;
    if (step === 'running' || step === 'ready') return;
    const controller = new AbortController();
    const index = JSON.stringify(key);
    this.#running.set(index, controller);
    this.put(key, { step: 'running', done: 0, total: 0 });
    let beginning: T | undefined;
    const outcome = await ask({
      signal: controller.signal,
      onProgress: (progress) => {
        if (this.#running.get(index) !== controller) return;
        // Cast: the protocol has one type of `beginning` for all methods.
        beginning = (progress.beginning as T | undefined) ?? beginning;
        const { done, total } = progress;
        this.put(key, { step: 'running', done, total, beginning });
      },
    });
    // A task that was stopped or dropped must not change its state.
    if (this.#running.get(index) !== controller) return;
    this.#running.delete(index);
    if (outcome?.ok === false) this.put(key, { step: 'failed', issue: outcome.issue });
    else if (outcome?.value == null) this.#drop([index]);
    else this.put(key, { step: 'ready', value: outcome.value });
  }

  /** Stops a running task. It can be started again. */
  stop(key: K): void {
    if (this.#abort(JSON.stringify(key))) this.put(key, { step: 'stopped' });
  }

  /** Stops and drops all tasks for which `isGone` returns true. */
  forget(isGone: (key: K, state: TaskState<T>) => boolean): void {
    const known = [...this.use.getState()];
    this.#drop(known.flatMap(([index, { key, state }]) => (isGone(key, state) ? [index] : [])));
  }

  put(key: K, state: TaskState<T>): void {
    this.use.setState((known) => new Map(known).set(JSON.stringify(key), { key, state }), true);
  }

  #drop(indices: readonly string[]): void {
    if (indices.length === 0) return;
    for (const index of indices) this.#abort(index);
    this.use.setState((known) => {
      const next = new Map(known);
      for (const index of indices) next.delete(index);
      return next;
    }, true);
  }

  #abort(index: string): boolean {
    const controller = this.#running.get(index);
    this.#running.delete(index);
    controller?.abort();
    return controller !== undefined;
  }
}
