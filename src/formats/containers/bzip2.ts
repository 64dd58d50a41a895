/**
 * Unpacks bzip2 files: one or more streams of blocks. A block is a Burrows-Wheeler transform, coded
 * by move-to-front, run lengths and Huffman codes.
 *
 * There is no specification by the author. Source: "BZIP2: Format Specification" (Joe Tsai, 2016),
 * sections 2.2 to 2.4, which describes bzip2 1.0.
 */
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import { decodeBlockSymbols, ForwardBits } from './bzip2-symbols.ts';
import { crc32Forward } from './checksums.ts';
import type { PackedInput } from './packed-input.ts';
import { foldSteps } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const BLOCK_MAGIC = '314159265359';
const END_MAGIC = '177245385090';
/** A repeat count follows after four equal bytes. */
const RUN_LENGTH = 4;

/** Unpacks all streams of a bzip2 file (see `Unpack`). */
export function* unpackBzip2(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  let wrong = false;
  do {
    const blockCapacity = readStreamHeader(input);
    const bits = new ForwardBits(input);
    let combined = 0;
    while (readBlockMagic(input, bits) === BLOCK_MAGIC) {
      const crcStart = bits.byteOffset;
      const stored = bits.u32('a block checksum');
      const start = output.length;
      yield* unpackBlock(input, bits, blockCapacity, output);
      const real = yield* foldSteps(output.from(start), 0, crc32Forward);
      combined = (((combined << 1) | (combined >>> 31)) ^ stored) >>> 0;
      if (real !== stored && !wrong) {
        wrong = true;
        issues.push(input.badChecksum(crcStart, 4, 'CRC-32', hexText(stored, 8), hexText(real, 8)));
      }
    }
    const crcStart = bits.byteOffset;
    const stored = bits.u32('the checksum of the stream');
    if (stored !== combined && !wrong) {
      wrong = true;
      issues.push(
        input.badChecksum(crcStart, 4, 'CRC-32', hexText(stored, 8), hexText(combined, 8)),
      );
    }
    bits.align();
  } while (nextStream(input, issues));
}

/** Reads the stream header. Returns the largest size of a block before its runs are expanded. */
function readStreamHeader(input: PackedInput): number {
  const start = input.byteOffset;
  const magic = String.fromCharCode(...input.take(4, 'the bzip2 magic'));
  const level = /^BZh([1-9])$/.exec(magic)?.[1];
  if (level === undefined) throw input.corrupt(start, 'BZh and a digit', JSON.stringify(magic));
  return Number(level) * 100_000;
}

function readBlockMagic(input: PackedInput, bits: ForwardBits): string {
  const start = bits.byteOffset;
  const what = 'a block or the end of the stream';
  const magic = hexText(bits.u24(what), 6).slice(2) + hexText(bits.u24(what), 6).slice(2);
  if (magic !== BLOCK_MAGIC && magic !== END_MAGIC) {
    throw input.corrupt(start, `${BLOCK_MAGIC} or ${END_MAGIC}`, magic);
  }
  return magic;
}

function* unpackBlock(
  input: PackedInput,
  bits: ForwardBits,
  capacity: number,
  output: UnpackedOutput,
): Steps {
  const start = bits.byteOffset;
  if (bits.bits(1) === 1) {
    throw input.unsupported(start, 'a randomised block of bzip2 before 0.9.5', 'bunzip2');
  }
  const origin = bits.u24('the origin of a block');
  const block = decodeBlockSymbols(input, bits, capacity);
  if (origin >= block.length) {
    throw input.corrupt(start, `an origin below ${block.length}`, `${origin}`);
  }
  yield;
  undoRuns(undoTransform(block, origin), output);
  yield;
}

/** Undoes the Burrows-Wheeler transform: returns rotation `origin` of the sorted rotations. */
function undoTransform(block: Uint8Array, origin: number): Uint8Array {
  const starts = new Uint32Array(257);
  for (const byte of block) starts[byte + 1] = (starts[byte + 1] ?? 0) + 1;
  for (let byte = 0; byte < 256; byte++) {
    starts[byte + 1] = (starts[byte + 1] ?? 0) + (starts[byte] ?? 0);
  }
  const successors = new Uint32Array(block.length);
  block.forEach((byte, at) => {
    const place = starts[byte] ?? 0;
    successors[place] = at;
    starts[byte] = place + 1;
  });
  const text = new Uint8Array(block.length);
  let at = successors[origin] ?? 0;
  for (let i = 0; i < text.length; i++) {
    text[i] = block[at] ?? 0;
    at = successors[at] ?? 0;
  }
  return text;
}

/** Writes `text` and expands its runs: after four equal bytes comes a repeat count. */
function undoRuns(text: Uint8Array, output: UnpackedOutput): void {
  let run = 0;
  let previous = -1;
  let out = output.bytes;
  let at = output.length;
  for (const byte of text) {
    if (run === RUN_LENGTH) {
      out = output.reserve(at, byte);
      out.fill(previous, at, at + byte);
      at += byte;
      run = 0;
      previous = -1;
      continue;
    }
    run = byte === previous ? run + 1 : 1;
    previous = byte;
    if (at === out.length) out = output.reserve(at, 1);
    out[at++] = byte;
  }
  output.length = at;
}

/** Returns true if another stream follows. Bytes that are not a stream become an issue. */
function nextStream(input: PackedInput, issues: Issue[]): boolean {
  if (input.remaining === 0) return false;
  const magic = String.fromCharCode(
    ...input.bytes.subarray(input.byteOffset, input.byteOffset + 3),
  );
  if (magic === 'BZh') return true;
  issues.push(input.trailing());
  return false;
}
