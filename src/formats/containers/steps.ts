/**
 * How decoders are run: each is a generator that yields a few times a second,
 * so that the one who drives it can look at an abort signal in between.
 */
import type { Issue } from '#bytes/issue.ts';
import { type Signal, Slices } from '#bytes/slices.ts';
import type { PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/**
 * Unpacks all of `input` into `output`; adds wrong checksums and trailing bytes
 * to `issues`. Throws `Malformed` where the stream cannot be followed any
 * further; what came out until then is in `output`.
 */
export type Unpack = (input: PackedInput, output: UnpackedOutput, issues: Issue[]) => Steps;

/** Bytes that a decoder puts out before it yields. */
export const STEP_BYTES = 1 << 18;

/** Milliseconds of work between two looks at the signal. */
const SLICE_MS = 40;

/**
 * Runs `steps` to the end. With a `signal` or `onRest`, lets other tasks run now and then: then
 * calls `onRest`, and throws the signal's reason once it is aborted.
 */
export async function runSteps<Result>(
  steps: Steps<Result>,
  signal: Signal | undefined,
  onRest: (() => void) | undefined,
): Promise<Result> {
  signal?.throwIfAborted();
  const slices = signal === undefined && onRest === undefined ? null : new Slices(SLICE_MS, signal);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices?.isOver !== true) continue;
    onRest?.();
    await slices.rest();
  }
}

/** Folds `update` over `data` in pieces, yielding between them: checksums of large outputs. */
export function* foldSteps<State>(
  data: Uint8Array,
  initial: State,
  update: (state: State, piece: Uint8Array) => State,
): Steps<State> {
  let state = initial;
  for (let start = 0; start < data.length; start += STEP_BYTES) {
    state = update(state, data.subarray(start, start + STEP_BYTES));
    yield;
  }
  return state;
}
