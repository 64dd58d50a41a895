/**
 * Unpacks zstd files (RFC 8878): a sequence of frames, including skippable frames.
 *
 * Does not use fzstd, which is for trusted data only: a flipped bit can make it loop for ever.
 */
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import type { PackedInput } from './packed-input.ts';
import { STEP_BYTES, unpackFrames } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';
import { ZstdBlocks } from './zstd-blocks.ts';

const FRAMES = new Map([
  [0xfd2fb528, unpackFrame],
  // Magic numbers of zstd 0.1 to 0.7, which are unsupported.
  ...Array.from({ length: 10 }, (_, i) => [0xfd2fb51e + i, rejectOldFrame] as const),
]);

const MAX_BLOCK_LENGTH = 128 * 1024;

const BLOCK_RAW = 0;
const BLOCK_RLE = 1;
const BLOCK_RESERVED = 3;

type FrameHeader = {
  /** Largest unpacked size of a block in bytes. */
  readonly maxBlockLength: number;
  /** Unpacked size in bytes; null if the header does not give the size. */
  readonly contentLength: number | null;
  readonly hasChecksum: boolean;
};

/** Unpacks all frames of a zstd file (see `Unpack`). */
export function unpackZstd(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  return unpackFrames(input, output, issues, 'zstd', FRAMES);
}

function rejectOldFrame(input: PackedInput): never {
  throw input.unsupported(input.byteOffset - 4, 'the format of zstd before 0.8', 'zstd -d');
}

/** Unpacks the frame after a magic number. Returns the issue of a wrong checksum, or null. */
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

/** Unpacks one block (section 3.1.1.2). Returns false for the last block of the frame. */
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

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const STRIPE = 32;

const u64 = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => u64(value << by) | u64(value >> (64n - by));
const round = (sum: bigint, lane: bigint) => u64(rotate(u64(sum + u64(lane * P2)), 31n) * P1);

/** Returns the XXH64 of `data` with seed 0, the checksum of zstd (RFC 8878, section 3.1.1). */
export function* xxh64(data: Uint8Array): Steps<bigint> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const stripesEnd = data.length - (data.length % STRIPE);
  let hash = P5;
  if (stripesEnd > 0) {
    const lanes = newLanes();
    for (let start = 0; start < stripesEnd; start += STEP_BYTES) {
      addStripes(lanes, view, start, Math.min(stripesEnd, start + STEP_BYTES));
      yield;
    }
    const sums = [0, 1, 2, 3].map((lane) => sumOf(lanes, lane));
    const [a = 0n, b = 0n, c = 0n, d = 0n] = sums;
    hash = u64(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n));
    for (const lane of sums) hash = u64(u64(hash ^ round(0n, lane)) * P1 + P4);
  }
  return avalanche(addTail(u64(hash + BigInt(data.length)), view, stripesEnd));
}

/** Returns the four start sums as low and high halves: bigints take seconds for a whole kernel. */
function newLanes(): Int32Array {
  const sums = BigUint64Array.of(u64(P1 + P2), P2, 0n, u64(-P1));
  return Int32Array.from({ length: 8 }, (_, i) => Number(halfOf(sums[i >> 1] ?? 0n, i & 1)));
}

function halfOf(value: bigint, half: number): bigint {
  return BigInt.asIntN(32, value >> BigInt(32 * half));
}

function sumOf(lanes: Int32Array, lane: number): bigint {
  const low = BigInt((lanes[2 * lane] ?? 0) >>> 0);
  return (BigInt((lanes[2 * lane + 1] ?? 0) >>> 0) << 32n) | low;
}

const [P1_LOW, P1_HIGH] = [Number(halfOf(P1, 0)), Number(halfOf(P1, 1))];
const [P2_LOW, P2_HIGH] = [Number(halfOf(P2, 0)), Number(halfOf(P2, 1))];

/** Adds complete stripes to the four sums, one sum after the other. */
function addStripes(lanes: Int32Array, view: DataView, start: number, end: number): void {
  for (let i = 0; i < 8; i += 2) {
    let sumLow = lanes[i] ?? 0;
    let sumHigh = lanes[i + 1] ?? 0;
    for (let at = start + 4 * i; at < end; at += STRIPE) {
      const laneLow = view.getInt32(at, true);
      const laneHigh = view.getInt32(at + 4, true);
      const productLow = Math.imul(laneLow, P2_LOW);
      const low = (sumLow + productLow) | 0;
      const carry = Number(low >>> 0 < productLow >>> 0);
      const high = (sumHigh + timesHigh(laneLow, laneHigh, P2_LOW, P2_HIGH) + carry) | 0;
      const turnedLow = (low << 31) | (high >>> 1);
      const turnedHigh = (high << 31) | (low >>> 1);
      sumLow = Math.imul(turnedLow, P1_LOW);
      sumHigh = timesHigh(turnedLow, turnedHigh, P1_LOW, P1_HIGH);
    }
    lanes[i] = sumLow;
    lanes[i + 1] = sumHigh;
  }
}

/** Returns the high half of a 64-bit product. The factors are given as low and high halves. */
function timesHigh(aLow: number, aHigh: number, bLow: number, bHigh: number): number {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const middle = (Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16)) | 0;
  const carry = (middle >>> 16) + ((Math.imul(a0, b1) + (middle & 0xffff)) >>> 16);
  return (Math.imul(a1, b1) + carry + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0;
}

/** Adds the bytes after the last complete stripe. */
function addTail(sum: bigint, view: DataView, start: number): bigint {
  let hash = sum;
  let at = start;
  for (; at + 8 <= view.byteLength; at += 8) {
    hash = u64(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  if (at + 4 <= view.byteLength) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < view.byteLength; at++) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint8(at)) * P5), 11n) * P1);
  }
  return hash;
}

function avalanche(sum: bigint): bigint {
  let hash = u64((sum ^ (sum >> 33n)) * P2);
  hash = u64((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}
