/** Unpacks .lzma files: 13 bytes of header, then LZMA. Source: lzma-file-format.txt of XZ Utils. */
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { LzmaDecoder, lzmaProperties } from './lzma-decoder.ts';
import type { PackedInput } from './packed-input.ts';
import { STEP_BYTES } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const SIZE_UNKNOWN = 0xffffffffffffffffn;

/** Unpacks a .lzma file (see `Unpack`). */
export function* unpackLzma(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  const propertiesByte = input.u8('the LZMA properties');
  const properties = lzmaProperties(propertiesByte);
  if (properties === null) throw input.corrupt(0, 'LZMA properties up to 224', `${propertiesByte}`);
  // The decoder does not allocate a dictionary: the output takes its place.
  input.u32le('the dictionary size');
  const declared = input.u64le('the uncompressed size');
  const size = declared === SIZE_UNKNOWN ? null : Number(declared);
  if (size !== null) output.declare(size);

  const decoder = new LzmaDecoder(input, output);
  decoder.setProperties(properties);
  decoder.start(input.bytes.length);
  const hardEnd = size ?? Number.POSITIVE_INFINITY;
  let ended = false;
  while (!ended && output.length < hardEnd) {
    ended = decoder.decode(Math.min(output.length + STEP_BYTES, hardEnd), hardEnd);
    yield;
  }
  if (ended && size !== null && output.length < size) {
    throw input.corrupt(input.byteOffset, `${size} bytes`, `an end marker at ${output.length}`);
  }
  // A stream of known size may still have an end marker.
  if (!ended && !decoder.finished) decoder.decode(hardEnd + 1, hardEnd);
  if (!decoder.finished) {
    throw input.corrupt(input.byteOffset, 'the end of the LZMA stream', 'more data');
  }
  if (input.remaining > 0) issues.push(input.trailing());
}

/** LZMA2, the compression of .xz: LZMA chunks or stored data. Source: XZ Utils, lzma2_decoder.c. */

const END = 0x00;
const STORED_AFTER_RESET = 0x01;
const STORED = 0x02;
const LZMA = 0x80;
const LZMA_RESET_STATE = 0xa0;
const LZMA_NEW_PROPERTIES = 0xc0;
const LZMA_RESET_DICTIONARY = 0xe0;

/** Unpacks LZMA2 data up to the byte that ends it. */
export function* unpackLzma2(input: PackedInput, output: UnpackedOutput): Steps {
  const decoder = new LzmaDecoder(input, output);
  let needDictionary = true;
  let needProperties = true;
  for (;;) {
    const start = input.byteOffset;
    const control = input.u8('an LZMA2 chunk');
    if (control === END) return;
    if (control === STORED_AFTER_RESET || control >= LZMA_RESET_DICTIONARY) {
      decoder.resetDictionary();
      needDictionary = false;
      needProperties = true;
    } else if (needDictionary) {
      throw input.corrupt(start, 'a first chunk that resets the dictionary', `${control}`);
    }
    if (control >= LZMA) {
      const high = control & 0x1f;
      const unpackedSize = (high << 16) + readU16be(input) + 1;
      const packedSize = readU16be(input) + 1;
      if (control >= LZMA_NEW_PROPERTIES) {
        const byte = input.u8('LZMA properties');
        const properties = lzmaProperties(byte);
        if (properties === null || properties.lc + properties.lp > 4) {
          throw input.corrupt(input.byteOffset - 1, 'LZMA2 properties', `${byte}`);
        }
        decoder.setProperties(properties);
        needProperties = false;
      } else if (needProperties) {
        throw input.corrupt(start, 'a chunk that sets the properties', `${control}`);
      } else if (control >= LZMA_RESET_STATE) {
        decoder.resetState();
      }
      readLzmaChunk(input, output, decoder, packedSize, unpackedSize);
    } else if (control <= STORED) {
      const size = readU16be(input) + 1;
      const present = Math.min(size, input.remaining);
      output.append(input.take(present, 'a stored chunk'));
      if (present < size) throw input.truncated('the rest of a stored chunk');
    } else {
      throw input.corrupt(start, 'an LZMA2 control byte', `${control}`);
    }
    yield;
  }
}

/** Decodes a chunk in one step: it has at most 2 MiB of output. */
function readLzmaChunk(
  input: PackedInput,
  output: UnpackedOutput,
  decoder: LzmaDecoder,
  packedSize: number,
  unpackedSize: number,
): void {
  const inputEnd = input.byteOffset + packedSize;
  const outputEnd = output.length + unpackedSize;
  decoder.start(Math.min(inputEnd, input.bytes.length));
  const ended = decoder.decode(outputEnd, outputEnd);
  if (ended || !decoder.finished || input.byteOffset !== inputEnd) {
    const found = `a stream of ${packedSize - (inputEnd - input.byteOffset)} bytes`;
    throw input.corrupt(input.byteOffset, `an LZMA chunk of ${packedSize} bytes`, found);
  }
}

function readU16be(input: PackedInput): number {
  const [high = 0, low = 0] = input.take(2, 'the size of an LZMA2 chunk');
  return (high << 8) | low;
}
