/** Long answers of workers, by key: asked for once, told as they go on, kept while their files are open. */
import { create } from 'zustand';
import type { Issue } from '#bytes/issue.ts';
import type { CallOptions, Outcome } from '#worker/client.ts';
import { onClosed } from './files.ts';
import { baseChoice, type FileId, fileById, session } from './session.ts';

export type TaskState<T> =
  | {
      readonly step: 'running';
      readonly done: number;
      readonly total: number;
      /** The beginning of the value, where it came before the rest. */
      readonly beginning?: T | undefined;
    }
  | { readonly step: 'ready'; readonly value: T }
  | { readonly step: 'failed'; readonly issue: Issue }
  | { readonly step: 'stopped' };

/** Names one reading of a file inside a key: on another base a file gives other answers. */
export function revisionKey(id: FileId | null): string {
  return `${id}.${baseChoice(fileById(session.getState(), id)).reading}`;
}

/** Tasks of one kind. Keys are `:`-separated; the parts that are `revisionKey`s say which files a task belongs to. */
export class Tasks<T> {
  /** Every known state by key, as a hook with a selector. */
  readonly use = create<ReadonlyMap<string, TaskState<T>>>(() => new Map());
  readonly #running = new Map<string, AbortController>();

  constructor() {
    onClosed((id) => this.forget((key) => key.split(':').some((p) => p.startsWith(`${id}.`))));
  }

  /** The state of a task; null before it is asked for. */
  get(key: string): TaskState<T> | null {
    return this.use.getState().get(key) ?? null;
  }

  /**
   * Asks, unless the task is running or ready. `ask` gives null or undefined where there is
   * no answer: the task is then forgotten. Settles when the task has ended, in whatever way.
   */
  async run(
    key: string,
    ask: (options: CallOptions) => Promise<Outcome<T | null> | null | undefined>,
  ): Promise<void> {
    const step = this.get(key)?.step;
    if (step === 'running' || step === 'ready') return;
    const controller = new AbortController();
    this.#running.set(key, controller);
    this.#put(key, { step: 'running', done: 0, total: 0 });
    let beginning: T | undefined;
    const outcome = await ask({
      signal: controller.signal,
      onProgress: (progress) => {
        if (this.#running.get(key) !== controller) return;
        // Of the form of the whole.
        beginning = (progress.beginning as T | undefined) ?? beginning;
        const { done, total } = progress;
        this.#put(key, { step: 'running', done, total, beginning });
      },
    });
    // Stopped or forgotten meanwhile: the state is already what it should be.
    if (this.#running.get(key) !== controller) return;
    this.#running.delete(key);
    if (outcome?.ok === false) this.#put(key, { step: 'failed', issue: outcome.issue });
    else if (outcome?.value == null) this.forget((other) => other === key);
    else this.#put(key, { step: 'ready', value: outcome.value });
  }

  /** Ends a running task; it can be asked for again. */
  stop(key: string): void {
    if (this.#abort(key)) this.#put(key, { step: 'stopped' });
  }

  /** Ends and drops the tasks that `isGone` names. */
  forget(isGone: (key: string, state: TaskState<T>) => boolean): void {
    const gone = [...this.use.getState()].filter(([key, state]) => isGone(key, state));
    if (gone.length === 0) return;
    for (const [key] of gone) this.#abort(key);
    this.use.setState((known) => {
      const next = new Map(known);
      for (const [key] of gone) next.delete(key);
      return next;
    }, true);
  }

  #abort(key: string): boolean {
    const controller = this.#running.get(key);
    this.#running.delete(key);
    controller?.abort();
    return controller !== undefined;
  }

  #put(key: string, state: TaskState<T>): void {
    this.use.setState((known) => new Map(known).set(key, state), true);
  }
}
