/** Unpacks lz4 files, including legacy frames of kernels. Source: LZ4 Frame Format 1.6.2. */
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import { xxh32 } from './checksums.ts';
import type { PackedInput } from './packed-input.ts';
import { unpackFrames } from './steps.ts';
import { copyEights, type UnpackedOutput } from './unpacked-output.ts';

const FRAMES = new Map([
  [0x184d2204, unpackFrame],
  [0x184c2102, unpackLegacyFrame],
]);

// Bits of the byte FLG in the frame descriptor.
const FLAG_INDEPENDENT = 0x20;
const FLAG_BLOCK_CHECKSUM = 0x10;
const FLAG_CONTENT_SIZE = 0x08;
const FLAG_CONTENT_CHECKSUM = 0x04;
const FLAG_RESERVED = 0x02;
const FLAG_DICTIONARY = 0x01;

/** Bit of the size word of a block that is stored without compression. */
const STORED = 0x80000000;
/** Largest distance of a match in bytes. */
const WINDOW = 64 * 1024;
const LEGACY_BLOCK_LENGTH = 8 * 1024 * 1024;
/** Largest packed size of a legacy block. Packing makes incompressible data larger. */
const MAX_LEGACY_PACKED = LEGACY_BLOCK_LENGTH + Math.floor(LEGACY_BLOCK_LENGTH / 255) + 16;

type FrameHeader = {
  readonly flags: number;
  readonly maxBlockLength: number;
  /** Unpacked size in bytes; null if the header does not give the size. */
  readonly contentLength: number | null;
};

/** Unpacks all frames of an lz4 file (see `Unpack`). */
export function unpackLz4(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  return unpackFrames(input, output, issues, 'lz4', FRAMES);
}

/** Unpacks the frame after a magic number. Returns the issue of a wrong checksum, or null. */
function* unpackFrame(input: PackedInput, output: UnpackedOutput): Steps<Issue | null> {
  const headerStart = input.byteOffset;
  const header = yield* readFrameHeader(input);
  if (header.contentLength !== null) output.declare(header.contentLength);
  const unpackedStart = output.length;
  let wrong: Issue | null = null;
  for (;;) {
    const word = input.u32le('the size of a block');
    if (word === 0) break;
    const block = readBlock(input, output, header, word);
    if ((header.flags & FLAG_BLOCK_CHECKSUM) !== 0) {
      wrong ??= yield* readChecksum(input, block.bytes, 'XXH32 of a block');
    }
    unpackBlock(block, output, header, word, unpackedStart);
    yield;
  }
  const length = output.length - unpackedStart;
  if (header.contentLength !== null && header.contentLength !== length) {
    throw input.corrupt(headerStart, `a frame of ${header.contentLength} bytes`, `${length}`);
  }
  if ((header.flags & FLAG_CONTENT_CHECKSUM) === 0) return wrong;
  const issue = yield* readChecksum(input, output.from(unpackedStart), 'XXH32');
  return wrong ?? issue;
}

/** Reads a frame header. Source: section "Frame Descriptor". */
function* readFrameHeader(input: PackedInput): Steps<FrameHeader> {
  const start = input.byteOffset;
  const what = 'an lz4 frame header';
  const flags = input.u8(what);
  if (flags >> 6 !== 1) throw input.unsupported(start, `lz4 of version ${flags >> 6}`, 'lz4 -d');
  const descriptor = input.u8(what);
  const contentLength = flags & FLAG_CONTENT_SIZE ? Number(input.u64le(what)) : null;
  const dictionaryId = flags & FLAG_DICTIONARY ? input.u32le(what) : 0;
  const covered = input.bytes.subarray(start, input.byteOffset);
  const stored = input.u8(what);
  const real = ((yield* xxh32(covered)) >>> 8) & 0xff;
  if (stored !== real) {
    const expected = `the header checksum ${hexText(real, 2)}`;
    throw input.corrupt(input.byteOffset - 1, expected, hexText(stored, 2));
  }
  const sizeCode = descriptor >> 4;
  if ((flags & FLAG_RESERVED) !== 0 || (descriptor & 0x0f) !== 0 || sizeCode < 4 || sizeCode > 7) {
    const found = `${hexText(flags, 2)}, ${hexText(descriptor, 2)}`;
    throw input.corrupt(start, 'an lz4 frame descriptor', found);
  }
  if (dictionaryId !== 0) {
    const command = 'lz4 -d -D DICTIONARY';
    throw input.unsupported(start, `lz4 data with dictionary ${dictionaryId}`, command);
  }
  return { flags, maxBlockLength: 1 << (8 + 2 * sizeCode), contentLength };
}

/** Unpacks a block with the size word `word`. Of a cut stored block, writes what exists. */
function readBlock(
  input: PackedInput,
  output: UnpackedOutput,
  { maxBlockLength }: FrameHeader,
  word: number,
): PackedInput {
  const size = word % STORED;
  if (size > maxBlockLength) {
    const expected = `a block of at most ${maxBlockLength} bytes`;
    throw input.corrupt(input.byteOffset - 4, expected, `${size} bytes`);
  }
  if (word >= STORED && size > input.remaining) {
    output.append(input.take(input.remaining, 'a stored block'));
    throw input.truncated('the rest of a stored block');
  }
  return input.part(size, 'a block');
}

function unpackBlock(
  block: PackedInput,
  output: UnpackedOutput,
  header: FrameHeader,
  word: number,
  frameStart: number,
): void {
  if (word >= STORED) {
    output.append(block.bytes);
    return;
  }
  const isAlone = (header.flags & FLAG_INDEPENDENT) !== 0;
  const windowStart = isAlone ? output.length : Math.max(frameStart, output.length - WINDOW);
  unpackLz4Block(block, output, windowStart, header.maxBlockLength);
}

function* readChecksum(input: PackedInput, data: Uint8Array, name: string): Steps<Issue | null> {
  const start = input.byteOffset;
  const stored = input.u32le('a checksum');
  const real = yield* xxh32(data);
  if (stored === real) return null;
  return input.badChecksum(start, 4, name, hexText(stored, 8), hexText(real, 8));
}

/** Unpacks blocks up to an impossible size, or to the unpacked size that kernel builds append. */
function* unpackLegacyFrame(input: PackedInput, output: UnpackedOutput): Steps<null> {
  while (input.remaining > 0) {
    const start = input.byteOffset;
    const size = input.u32le('the size of a block');
    if (size === 0 || size > MAX_LEGACY_PACKED || size === output.length) {
      input.byteOffset = start;
      break;
    }
    const block = input.part(size, 'a block');
    unpackLz4Block(block, output, output.length, LEGACY_BLOCK_LENGTH);
    yield;
  }
  return null;
}

/**
 * A compressed block of lz4: literals, and copies of earlier output. Source: LZ4 Block Format
 * Description. Each sequence is a token, literals, and a match of at least four bytes; the last
 * sequence ends after its literals.
 */

const MIN_MATCH = 4;
/** Largest value of a length in a token. It means that more bytes of the length follow. */
const LONG = 15;

/** Number of bytes after the end that `copyEights` may read and write. */
const SLACK = 7;

/** Unpacks `block`. Matches may reach back to `windowStart`. Throws `Malformed`. */
function unpackLz4Block(
  block: PackedInput,
  output: UnpackedOutput,
  windowStart: number,
  maxLength: number,
): void {
  const outputEnd = output.length + maxLength;
  for (;;) {
    runSafeSequences(block, output, windowStart, outputEnd);
    const start = block.byteOffset;
    const token = block.u8('a token');
    const literals = readLength(block, token >> 4);
    if (literals > outputEnd - output.length) throw tooLong(block, start, maxLength);
    output.append(block.take(literals, 'literals'));
    if (block.remaining === 0) return;
    const distanceStart = block.byteOffset;
    const low = block.u8('the distance of a match');
    const distance = low | (block.u8('the distance of a match') << 8);
    if (distance === 0 || distance > output.length - windowStart) {
      const found = `${distance} with ${output.length - windowStart} bytes before it`;
      throw block.corrupt(distanceStart, 'a match inside the data before it', found);
    }
    const length = readLength(block, token & 15) + MIN_MATCH;
    if (length > outputEnd - output.length) throw tooLong(block, start, maxLength);
    copyMatch(output, distance, length);
  }
}

/** Unpacks sequences without bounds checks, up to the first that might exceed a buffer. */
function runSafeSequences(
  block: PackedInput,
  output: UnpackedOutput,
  windowStart: number,
  outputEnd: number,
): void {
  const packed = block.bytes;
  const out = output.bytes;
  const packedEnd = packed.length - SLACK;
  const roomEnd = Math.min(out.length, outputEnd) - SLACK;
  let from = block.byteOffset;
  let at = output.length;
  for (;;) {
    const token = packed[from] ?? 0;
    let literalsAt = from + 1;
    let literals = token >> 4;
    if (literals === LONG) {
      const more = furtherLength(packed, literalsAt);
      literals += more;
      literalsAt += Math.floor(more / 255) + 1;
    }
    const distanceAt = literalsAt + literals;
    const matchAt = at + literals;
    if (distanceAt + 2 > packedEnd || matchAt > roomEnd) break;
    const distance = (packed[distanceAt] ?? 0) | ((packed[distanceAt + 1] ?? 0) << 8);
    let next = distanceAt + 2;
    let length = token & 15;
    if (length === LONG) {
      const more = furtherLength(packed, next);
      length += more;
      next += Math.floor(more / 255) + 1;
    }
    length += MIN_MATCH;
    if (next > packedEnd || matchAt + length > roomEnd) break;
    if (distance === 0 || distance > matchAt - windowStart) break;
    copyEights(out, at, packed, literalsAt, literals);
    copyEights(out, matchAt, out, matchAt - distance, length);
    from = next;
    at = matchAt + length;
  }
  block.byteOffset = from;
  output.length = at;
}

/** Returns the sum of the bytes from `start` to the first byte that is not 255, inclusive. */
function furtherLength(packed: Uint8Array, start: number): number {
  let length = 0;
  for (let at = start; ; at++) {
    const byte = packed[at] ?? 0;
    length += byte;
    if (byte < 255) return length;
  }
}

/** Returns a length. `bits` are its four bits in the token; 15 means that more bytes follow. */
function readLength(block: PackedInput, bits: number): number {
  if (bits < LONG) return bits;
  let length = bits;
  for (;;) {
    const byte = block.u8('a length');
    length += byte;
    if (byte < 255) return length;
  }
}

function copyMatch(output: UnpackedOutput, distance: number, length: number): void {
  const bytes = output.reserve(output.length, length);
  const at = output.length;
  if (distance >= length) bytes.copyWithin(at, at - distance, at - distance + length);
  else for (let i = at; i < at + length; i++) bytes[i] = bytes[i - distance] ?? 0;
  output.length = at + length;
}

function tooLong(block: PackedInput, start: number, maxLength: number) {
  return block.corrupt(start, `a block of at most ${maxLength} bytes`, 'more');
}
