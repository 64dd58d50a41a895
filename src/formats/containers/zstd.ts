/**
 * zstd files (RFC 8878): a sequence of frames, including skippable frames.
 *
 * The output is the window. fzstd is for trusted data only: a flipped bit can make it loop for
 * ever.
 */
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import type { PackedInput } from './packed-input.ts';
import { unpackFrames } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';
import { xxh64 } from './xxh64.ts';
import { ZstdBlocks } from './zstd-blocks.ts';

const FRAMES = new Map([
  [0xfd2fb528, unpackFrame],
  // Magic numbers of zstd 0.1 to 0.7.
  ...Array.from({ length: 10 }, (_, i) => [0xfd2fb51e + i, rejectOldFrame] as const),
]);

const MAX_BLOCK_LENGTH = 128 * 1024;

const BLOCK_RAW = 0;
const BLOCK_RLE = 1;
const BLOCK_RESERVED = 3;

type FrameHeader = {
  /** Largest unpacked size of a block in bytes. */
  readonly maxBlockLength: number;
  /** Unpacked size in bytes; null if the header does not have it. */
  readonly contentLength: number | null;
  readonly hasChecksum: boolean;
};

/** Unpacks all frames of a zstd file. See `Unpack`. */
export function unpackZstd(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  return unpackFrames(input, output, issues, 'zstd', FRAMES);
}

function rejectOldFrame(input: PackedInput): never {
  throw input.unsupported(input.byteOffset - 4, 'the format of zstd before 0.8', 'zstd -d');
}

/** Unpacks a frame after its magic number. Returns the issue of a wrong checksum. */
function* unpackFrame(input: PackedInput, output: UnpackedOutput): Steps<Issue | null> {
  const headerStart = input.byteOffset;
  const header = readFrameHeader(input);
  if (header.contentLength !== null) output.declare(header.contentLength);
  const unpackedStart = output.length;
  const blocks = new ZstdBlocks(output, header.maxBlockLength);
  while (unpackBlock(input, output, blocks, header.maxBlockLength)) yield;
  const length = output.length - unpackedStart;
  if (header.contentLength !== null && header.contentLength !== length) {
    throw input.corrupt(headerStart, `a frame of ${header.contentLength} bytes`, `${length}`);
  }
  if (!header.hasChecksum) return null;
  const checksumStart = input.byteOffset;
  const stored = input.u32le('the checksum');
  const real = Number((yield* xxh64(output.from(unpackedStart))) & 0xffffffffn);
  if (stored === real) return null;
  return input.badChecksum(checksumStart, 4, 'XXH64', hexText(stored, 8), hexText(real, 8));
}

/** Reads a frame header (section 3.1.1.1). */
function readFrameHeader(input: PackedInput): FrameHeader {
  const start = input.byteOffset;
  const what = 'a zstd frame header';
  const descriptor = input.u8(what);
  if (descriptor & 0x08) throw input.corrupt(start, 'a reserved bit of 0', '1');
  const singleSegment = (descriptor & 0x20) !== 0;
  let windowLength = 0;
  if (!singleSegment) {
    const byte = input.u8(what);
    const base = 2 ** (10 + (byte >> 3));
    windowLength = base + (base / 8) * (byte & 7);
  }
  const dictionaryId = input.little([0, 1, 2, 4][descriptor & 3] ?? 0, what);
  if (dictionaryId !== 0) {
    const command = 'zstd -d -D DICTIONARY';
    throw input.unsupported(start, `zstd data with dictionary ${dictionaryId}`, command);
  }
  const sizeFlag = descriptor >> 6;
  let contentLength: number | null = null;
  if (sizeFlag > 0 || singleSegment) {
    contentLength = input.little(1 << sizeFlag, what) + (sizeFlag === 1 ? 256 : 0);
    if (singleSegment) windowLength = contentLength;
  }
  return {
    maxBlockLength: Math.min(windowLength, MAX_BLOCK_LENGTH),
    contentLength,
    hasChecksum: (descriptor & 0x04) !== 0,
  };
}

/** Unpacks one block; returns false for the last block of the frame (section 3.1.1.2). */
function unpackBlock(
  input: PackedInput,
  output: UnpackedOutput,
  blocks: ZstdBlocks,
  maxBlockLength: number,
): boolean {
  const start = input.byteOffset;
  const header = input.little(3, 'a block header');
  const blockType = (header >> 1) & 3;
  const size = header >> 3;
  if (blockType === BLOCK_RESERVED || size > maxBlockLength) {
    const found = `type ${blockType}, ${size} bytes`;
    throw input.corrupt(start, `a block of at most ${maxBlockLength} bytes`, found);
  }
  if (blockType === BLOCK_RAW) {
    const present = Math.min(size, input.remaining);
    output.append(input.take(present, 'a raw block'));
    if (present < size) throw input.truncated('the rest of a raw block');
  } else if (blockType === BLOCK_RLE) {
    output.fill(input.u8('a run'), size);
  } else {
    blocks.unpack(input.part(size, 'a block'));
  }
  return (header & 1) === 0;
}
