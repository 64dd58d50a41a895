/** Runs decoders, generators that yield several times a second for checks of an abort signal. */
import type { Issue } from '#bytes/issue.ts';
import { type Signal, SLICE_MS, Slices, type Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import type { PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

/** Unpacks `input` into `output`, also of damaged input, for which it throws `Malformed`. */
export type Unpack = (input: PackedInput, output: UnpackedOutput, issues: Issue[]) => Steps;

/** Unpacks a frame after its magic number. Returns the issue of its first wrong checksum. */
type UnpackFrame = (input: PackedInput, output: UnpackedOutput) => Steps<Issue | null>;

/** Magic numbers of skippable frames of zstd and lz4, whose lowest four bits vary (RFC 8878, section 3.1.2). */
const SKIPPABLE_MAGIC = 0x184d2a50;

/** Unpacks all frames of a zstd or lz4 file by their magic numbers; `frames` has the current format first. */
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

/** Bytes that a decoder writes before it yields. */
export const STEP_BYTES = 1 << 18;

/** Runs `steps` to the end. Between slices calls `onRest` and throws an aborted signal's reason. */
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

/** Folds `update` over `data` in pieces and yields between them, for checksums of large outputs. */
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
