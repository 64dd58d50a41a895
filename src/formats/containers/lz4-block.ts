/**
 * One compressed block of lz4: literals, and copies of what went before.
 *
 * Source: LZ4 Block Format Description. Each sequence is a token, literals, and
 * a match of at least four bytes; the last one ends behind its literals.
 */
import type { PackedInput } from './packed-input.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const MIN_MATCH = 4;
/** A length in the token that says that more bytes of it follow. */
const LONG = 15;

/**
 * Unpacks all of `block`. Matches may reach back to `windowStart`, an offset in
 * the output; no more than `maxLength` bytes may come out. Throws `Malformed`
 * (`container.corrupt`, `container.too-large`).
 */
export function unpackLz4Block(
  block: PackedInput,
  output: UnpackedOutput,
  windowStart: number,
  maxLength: number,
): void {
  const outputEnd = output.length + maxLength;
  for (;;) {
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

/** The whole length: its four bits, and a byte more for each 255. */
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
