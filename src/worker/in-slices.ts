/** Work of the worker in slices, so that other messages are heard in between. */
import { type Progress, SLICE_MS, Slices } from '#bytes/slices.ts';

/** How an answer is followed and cancelled. */
export type Context = {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** What `work` returns. Throws the signal's reason once it is aborted. */
export async function inSlices<T>(
  work: Generator<Progress, T, void>,
  { signal, onProgress }: Context,
): Promise<T> {
  const slices = new Slices(SLICE_MS, signal);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!slices.isOver) continue;
    onProgress(step.value);
    await slices.rest();
  }
}
