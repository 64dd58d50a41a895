/**
 * What comparing open files comes to. The worker of the first does the work; the
 * types of the other are sent to it. What was compared once is kept while both
 * are open.
 */
import { create } from 'zustand';
import type { WholeComparison } from '#analysis/compare/compare-tables.ts';
import type { DuplicateGroup } from '#analysis/compare/duplicates.ts';
import type { Issue } from '#bytes/issue.ts';
import type { CallOptions, Outcome } from '#worker/client.ts';
import { typesOf } from './core-target.ts';
import { clientOf, onClosed } from './files.ts';
import { baseChoice, type FileId, fileById, session, useSession } from './session.ts';

export type CompareOutcome<T> =
  | { readonly step: 'running'; readonly done: number; readonly total: number }
  | { readonly step: 'ready'; readonly value: T }
  | { readonly step: 'failed'; readonly issue: Issue }
  | { readonly step: 'stopped' };

/** Outcomes by key, and the requests that are going on. */
class Outcomes<T> {
  readonly use = create<ReadonlyMap<string, CompareOutcome<T>>>(() => new Map());
  readonly #running = new Map<string, AbortController>();

  /** Asks, unless that is done or going on. */
  async run(key: string, ask: (options: CallOptions) => Promise<Outcome<T | null>>): Promise<void> {
    const known = this.use.getState().get(key)?.step;
    if (known === 'running' || known === 'ready') return;
    const controller = new AbortController();
    this.#running.set(key, controller);
    this.#put(key, { step: 'running', done: 0, total: 0 });
    const outcome = await ask({
      signal: controller.signal,
      onProgress: ({ done, total }) => {
        if (this.#running.get(key) === controller) this.#put(key, { step: 'running', done, total });
      },
    });
    // Stopped, or closed: whoever did that has said what holds now.
    if (this.#running.get(key) !== controller) return;
    this.#running.delete(key);
    if (!outcome.ok) this.#put(key, { step: 'failed', issue: outcome.issue });
    else if (outcome.value !== null) this.#put(key, { step: 'ready', value: outcome.value });
  }

  stop(key: string): void {
    const controller = this.#running.get(key);
    if (controller === undefined) return;
    this.#running.delete(key);
    controller.abort();
    this.#put(key, { step: 'stopped' });
  }

  forget(isGone: (key: string) => boolean): void {
    for (const key of [...this.#running.keys()]) if (isGone(key)) this.stop(key);
    this.use.setState((known) => new Map([...known].filter(([key]) => !isGone(key))), true);
  }

  #put(key: string, outcome: CompareOutcome<T>): void {
    this.use.setState((known) => new Map([...known, [key, outcome]]), true);
  }
}

const wholes = new Outcomes<WholeComparison>();
const duplicates = new Outcomes<readonly DuplicateGroup[]>();

/** The comparison of two files as far as it is known; null before it is asked for. */
export function useWholeComparison(
  a: FileId,
  b: FileId | null,
): CompareOutcome<WholeComparison> | null {
  const key = useSession(() => pairKey(a, b));
  return wholes.use((known) => known.get(key) ?? null);
}

/** The types of a file that share a name, as far as they are known; null before they are asked for. */
export function useDuplicates(id: FileId): CompareOutcome<readonly DuplicateGroup[]> | null {
  const key = useSession(() => readingKey(id));
  return duplicates.use((known) => known.get(key) ?? null);
}

/** Compares all types of two files, unless that is done or going on. */
export async function compareWhole(a: FileId, b: FileId): Promise<void> {
  const other = typesOf(fileById(session.getState(), b));
  const client = clientOf(a);
  if (other === null || client === null) return;
  await wholes.run(pairKey(a, b), (options) => client.call('compare', { other }, options));
}

/** Finds the types of a file that share a name, unless that is done or going on. */
export async function findDuplicates(id: FileId): Promise<void> {
  const client = clientOf(id);
  if (client === null) return;
  await duplicates.run(readingKey(id), (options) => client.call('duplicates', null, options));
}

/** Stops the comparison of two files; it can be asked for again. */
export function stopComparing(a: FileId, b: FileId): void {
  wholes.stop(pairKey(a, b));
}

/** Stops the search for types that share a name; it can be asked for again. */
export function stopDuplicates(id: FileId): void {
  duplicates.stop(readingKey(id));
}

/** A file that is read again on another base is another. */
function readingKey(id: FileId | null): string {
  return `${id}.${baseChoice(fileById(session.getState(), id)).reading}`;
}

function pairKey(a: FileId, b: FileId | null): string {
  return `${readingKey(a)}:${readingKey(b)}`;
}

onClosed((id) => {
  const isGone = (key: string) => key.split(':').some((part) => part.startsWith(`${id}.`));
  wholes.forget(isGone);
  duplicates.forget(isGone);
});
