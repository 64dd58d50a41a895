/** Searches in a file: names, paths through the graph of types, member names. */
import { find } from '#analysis/find/find.ts';
import { buildFinder, type Finder, indexTypeNames } from '#analysis/find/finder.ts';
import type { FindAnswer } from '#analysis/find/make-hit.ts';
import type { TypeNames } from '#analysis/find/type-names.ts';
import { askPaths, type PathsAnswer, type PathsQuestion } from '#analysis/paths/ask-paths.ts';
import { buildFieldNames, type FieldName, suggestFields } from '#analysis/paths/field-names.ts';
import { buildPathIndex } from '#analysis/paths/path-index.ts';
import { memoized } from '#bytes/cache.ts';
import { type Progress, Slices } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Methods } from './protocol.ts';

/** Milliseconds of work before the worker handles other messages: half a frame. */
const SLICE_MS = 8;

const NEVER_ABORTED = new AbortController().signal;

type Building = {
  readonly model: ObjectModel;
  readonly names: Promise<TypeNames | null>;
  readonly finder: Promise<Finder>;
  readonly listeners: Set<(progress: Progress) => void>;
};

/**
 * Answers queries to the search index. The index is built once per model, before the first query;
 * cancelling a query does not stop the building.
 */
export class FindAnswers {
  readonly #sliceMs: number;
  #building: Building | null = null;

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** Builds the index of `model` unless it exists. If building fails, the next query throws. */
  async warm(model: ObjectModel): Promise<void> {
    await this.#finder(model).finder.catch(() => undefined);
  }

  /** Returns the type names of `model` from the index. Throws if the model has no types. */
  async typeNames(model: ObjectModel): Promise<TypeNames> {
    const names = await this.#finder(model).names;
    if (names === null) throw new Error('names requested for a file without types');
    return names;
  }

  /** Answers a query about `model`. Throws the signal's reason if the query is cancelled. */
  async answer(
    { text, limit }: Methods['find']['params'],
    model: ObjectModel,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<FindAnswer> {
    const slices = new Slices(this.#sliceMs, signal);
    // The user may have typed more: lets the worker receive the cancel of this query first.
    await slices.rest();
    const { finder, listeners } = this.#finder(model);
    listeners.add(onProgress);
    try {
      const built = await finder;
      signal.throwIfAborted();
      return await find(built, text, limit, slices);
    } finally {
      listeners.delete(onProgress);
    }
  }

  #finder(model: ObjectModel): Building {
    if (this.#building?.model === model) return this.#building;
    // The index of an older model is completed, since a query may wait for it.
    const listeners = new Set<(progress: Progress) => void>();
    const slices = new Slices(this.#sliceMs, NEVER_ABORTED);
    const tell = (progress: Progress) => {
      for (const listener of listeners) listener(progress);
    };
    const names = indexTypeNames(model, slices, tell);
    const finder = buildFinder(model, slices, tell, names);
    this.#building = { model, names, finder, listeners };
    return this.#building;
  }
}

const pathIndexOf = memoized(buildPathIndex);
const fieldNamesOf = memoized(buildFieldNames);

/** Searches for paths. Throws if a newer request has cancelled this one. */
export async function pathsAnswer(
  types: TypeTable,
  question: PathsQuestion,
  signal: AbortSignal,
): Promise<PathsAnswer> {
  // Lets the worker receive a cancel that was sent right after the request.
  await new Slices(0, signal).rest();
  return askPaths(pathIndexOf(types), question);
}

/** Returns member names that complete a typed text. */
export async function fieldsAnswer(
  types: TypeTable,
  { typed, limit }: Methods['fieldNames']['params'],
  signal: AbortSignal,
): Promise<readonly FieldName[]> {
  if (typed.trim() === '') return [];
  await new Slices(0, signal).rest();
  const index = pathIndexOf(types);
  return suggestFields(index, fieldNamesOf(index), typed, limit);
}
