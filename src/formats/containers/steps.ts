/** Runs decoders. A decoder is a generator that yields several times a second. */
import type { Issue } from '#bytes/issue.ts';
import { type Signal, SLICE_MS, Slices, type Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import type { PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

/** Unpacks `input` to `output`. At damage, throws `Malformed`; `output` has the data before it. */
export type Unpack = (input: PackedInput, output: UnpackedOutput, issues: Issue[]) => Steps;

/** Unpacks the frame after a magic number. Returns the issue of a wrong checksum, or null. */
type UnpackFrame = (input: PackedInput, output: UnpackedOutput) => Steps<Issue | null>;

/** First magic number of skippable frames; the lowest four bits vary (RFC 8878, section 3.1.2). */
const SKIPPABLE_MAGIC = 0x184d2a50;

/** Unpacks all frames of a zstd or lz4 file. `frames` has a function for each magic number. */
export function* unpackFrames(
  input: PackedInput,
  output: UnpackedOutput,
  issues: Issue[],
  name: 'lz4' | 'zstd',
  frames: ReadonlyMap<number, UnpackFrame>,
): Steps {
  let isWrong = false;
  do {
    const start = input.byteOffset;
    const magic = input.u32le(`the ${name} magic`);
    const unpackFrame = frames.get(magic);
    if (unpackFrame !== undefined) {
      const issue = yield* unpackFrame(input, output);
      if (issue !== null && !isWrong) issues.push(issue);
      isWrong ||= issue !== null;
    } else if ((magic & ~15) >>> 0 === SKIPPABLE_MAGIC) {
      input.take(input.u32le('a skippable frame'), 'a skippable frame');
    } else if (start > 0) {
      input.byteOffset = start;
      issues.push(input.trailing());
      return;
    } else {
      const [expected = 0] = frames.keys();
      throw input.corrupt(start, `the ${name} magic ${hexText(expected, 8)}`, hexText(magic, 8));
    }
  } while (input.remaining > 0);
}

/** Number of bytes that a decoder writes before it yields. */
export const STEP_BYTES = 1 << 18;

/** Runs `steps` to the end and calls `onRest` between slices. Throws an aborted signal's reason. */
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

/** Calls `update` for parts of `data` and yields in between, for checksums of large outputs. */
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
