/**
 * The .lzma file format (lzma-file-format.txt of XZ Utils): a header of 13
 * bytes and one LZMA stream. It has no magic and no checksum.
 */
import type { Issue } from '#bytes/issue.ts';
import { LzmaDecoder, lzmaProperties } from './lzma-decoder.ts';
import type { PackedInput } from './packed-input.ts';
import { STEP_BYTES, type Steps } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const SIZE_UNKNOWN = 0xffffffffffffffffn;

/** Unpacks a .lzma file. See `Unpack`. */
export function* unpackLzma(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  const propertiesByte = input.u8('the LZMA properties');
  const properties = lzmaProperties(propertiesByte);
  if (properties === null) throw input.corrupt(0, 'LZMA properties up to 224', `${propertiesByte}`);
  // The dictionary is the output itself, so its declared size asks for no memory.
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
  // An end marker may follow even where the size is known.
  if (!ended && !decoder.finished) decoder.decode(hardEnd + 1, hardEnd);
  if (!decoder.finished) {
    throw input.corrupt(input.byteOffset, 'the end of the LZMA stream', 'more data');
  }
  if (input.remaining > 0) issues.push(input.trailing());
}
