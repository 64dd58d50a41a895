/** zlib streams (RFC 1950), as in the compressed sections of ELF files: one DEFLATE stream with an Adler-32. */
import type { Issue } from '#bytes/issue.ts';
import { adler32 } from './checksums.ts';
import { hexNumber } from './hex.ts';
import { inflate } from './inflate.ts';
import type { PackedInput } from './packed-input.ts';
import { foldSteps, type Steps } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const DEFLATE = 8;
const FLAG_DICTIONARY = 0x20;

/** Unpacks one zlib stream; bytes after it are reported. See `Unpack`. */
export function* unpackZlib(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  const method = input.u8('a zlib header');
  const flags = input.u8('a zlib header');
  // Section 2.2: the two bytes are a multiple of 31, the window is at most 2^15.
  if ((method & 15) !== DEFLATE || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0) {
    throw input.corrupt(0, 'a zlib header', `${hexNumber(method, 2)}, ${hexNumber(flags, 2)}`);
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
    issues.push(input.badChecksum(trailer, 4, 'Adler-32', hexNumber(stored), hexNumber(real)));
  }
  if (input.remaining > 0) issues.push(input.trailing());
}
