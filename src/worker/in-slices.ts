/** Work of the worker in slices, so that other messages are handled in between. */
import { type Progress, SLICE_MS, Slices } from '#bytes/long-work.ts';

/** Callback for the progress of an answer and signal that cancels it. */
export type Context = {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** Runs `work` in slices and returns its result. Throws the reason of an aborted signal. */
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
