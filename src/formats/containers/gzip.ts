/**
 * Unpacks gzip files and zlib streams.
 *
 * A gzip file (RFC 1952) has one or more members: a DEFLATE stream with a checksum and its size
 * modulo 2^32. Zeros after the last member are padding. Other bytes after the last member are
 * ignored with a warning, as in gzip.
 */
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { hexText } from '#bytes/text.ts';
import { adler32, crc32 } from './checksums.ts';
import { inflate } from './inflate.ts';
import type { PackedInput } from './packed-input.ts';
import { foldSteps } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const MAGIC = [0x1f, 0x8b];
export const DEFLATE = 8;

// Bits of the flag byte FLG (RFC 1952, section 2.3.1).
const FLAG_HEADER_CRC = 0x02;
const FLAG_EXTRA = 0x04;
const FLAG_NAME = 0x08;
const FLAG_COMMENT = 0x10;
const FLAGS_RESERVED = 0xe0;

function skipText(input: PackedInput, what: string): void {
  while (input.u8(what) !== 0) {
    // Skips the NUL-terminated text, which is not used.
  }
}

function skipHeader(input: PackedInput): void {
  const start = input.byteOffset;
  const [id1 = 0, id2 = 0, method = 0, flags = 0] = input.take(10, 'a gzip header');
  if (id1 !== MAGIC[0] || id2 !== MAGIC[1]) {
    throw input.corrupt(start, 'the gzip magic 1f 8b', `${hexText(id1, 2)}, ${hexText(id2, 2)}`);
  }
  if (method !== DEFLATE || (flags & FLAGS_RESERVED) !== 0) {
    throw input.unsupported(
      start,
      `gzip with method ${method}, flags ${hexText(flags, 2)}`,
      'gzip -d',
    );
  }
  if (flags & FLAG_EXTRA) input.take(input.u16le('the extra field'), 'the extra field');
  if (flags & FLAG_NAME) skipText(input, 'the file name');
  if (flags & FLAG_COMMENT) skipText(input, 'the comment');
  if (flags & FLAG_HEADER_CRC) input.take(2, 'the header checksum');
}

/** Returns true if another member follows. Skips zeros. Other bytes become an issue. */
function nextMember(input: PackedInput, issues: Issue[]): boolean {
  if (input.peek() === MAGIC[0] && input.peek(1) === MAGIC[1]) return true;
  const zeros = input.bytes.subarray(input.byteOffset).findIndex((byte) => byte !== 0);
  if (zeros < 0) return false;
  issues.push(input.trailing());
  return false;
}

/** Unpacks all members of a gzip file (see `Unpack`). */
export function* unpackGzip(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  let wrong = false;
  do {
    skipHeader(input);
    const start = output.length;
    yield* inflate(input, output);
    const trailer = input.byteOffset;
    const storedCrc = input.u32le('the checksum');
    const storedSize = input.u32le('the size');
    const crc = yield* foldSteps(output.from(start), 0, crc32);
    const size = (output.length - start) >>> 0;
    // Reports only the first wrong checksum.
    if (!wrong && crc !== storedCrc) {
      issues.push(input.badChecksum(trailer, 4, 'CRC-32', hexText(storedCrc, 8), hexText(crc, 8)));
      wrong = true;
    } else if (!wrong && size !== storedSize) {
      issues.push(input.badChecksum(trailer + 4, 4, 'size', `${storedSize}`, `${size}`));
      wrong = true;
    }
  } while (nextMember(input, issues));
}

const FLAG_DICTIONARY = 0x20;

/** Unpacks a zlib stream (RFC 1950), as in ELF sections: DEFLATE and Adler-32 (see `Unpack`). */
export function* unpackZlib(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  const method = input.u8('a zlib header');
  const flags = input.u8('a zlib header');
  // RFC 1950, section 2.2: the header is a multiple of 31, and the window at most 2^15 bytes.
  if ((method & 15) !== DEFLATE || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0) {
    throw input.corrupt(0, 'a zlib header', `${hexText(method, 2)}, ${hexText(flags, 2)}`);
  }
  if (flags & FLAG_DICTIONARY) {
    throw input.unsupported(
      0,
      'zlib data with a preset dictionary',
      'objcopy --decompress-debug-sections',
    );
  }
  yield* inflate(input, output);
  const trailer = input.byteOffset;
  const stored = input.u32be('the Adler-32');
  const real = yield* foldSteps(output.from(0), 1, adler32);
  if (stored !== real) {
    issues.push(input.badChecksum(trailer, 4, 'Adler-32', hexText(stored, 8), hexText(real, 8)));
  }
  if (input.remaining > 0) issues.push(input.trailing());
}
