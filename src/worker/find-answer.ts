/**
 * The index behind the palette, and its answers. The index is built once for a
 * model, in slices, when the file is about to be looked through or when somebody asks,
 * whichever comes first. A question that is no longer wanted stops; the index
 * that it waited for is built all the same.
 */
import { find } from '#analysis/find/find.ts';
import { buildFinder, type Finder, indexTypeNames } from '#analysis/find/finder.ts';
import type { FindAnswer } from '#analysis/find/hit.ts';
import type { TypeNames } from '#analysis/find/type-names.ts';
import { type Progress, Slices } from '#bytes/slices.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Methods } from './protocol.ts';

/** Half a frame: what else the page asks gets in between. */
const SLICE_MS = 8;

const NEVER = new AbortController().signal;

type Building = {
  readonly model: ObjectModel;
  /** Come before the rest. */
  readonly names: Promise<TypeNames | null>;
  readonly finder: Promise<Finder>;
  /** Told of the progress while it is built. */
  readonly listeners: Set<(progress: Progress) => void>;
};

export class FindAnswers {
  readonly #sliceMs: number;
  #building: Building | null = null;

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** Builds the index of `model` if there is none. Does not throw when that fails: a question does. */
  async warm(model: ObjectModel): Promise<void> {
    await this.#finder(model).finder.catch(() => undefined);
  }

  /** The names of the types of `model`, from the index. Throws where it has no types. */
  async typeNames(model: ObjectModel): Promise<TypeNames> {
    const names = await this.#finder(model).names;
    if (names === null) throw new Error('names requested for a file without types');
    return names;
  }

  /** Answers a question about `model`. Throws the signal's reason once it is aborted. */
  async answer(
    { text, limit }: Methods['find']['params'],
    model: ObjectModel,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<FindAnswer> {
    const slices = new Slices(this.#sliceMs, signal);
    // Behind this stroke another may be waiting, and with it word that this one is not wanted.
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
    // That of a model of before is built to its end: somebody may wait for it.
    const listeners = new Set<(progress: Progress) => void>();
    const slices = new Slices(this.#sliceMs, NEVER);
    const tell = (progress: Progress) => {
      for (const listener of listeners) listener(progress);
    };
    const names = indexTypeNames(model, slices, tell);
    const finder = buildFinder(model, slices, tell, names);
    this.#building = { model, names, finder, listeners };
    return this.#building;
  }
}
