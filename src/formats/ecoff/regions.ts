/**
 * Regions of an eCOFF file. Every pointer of the format is an absolute file
 * offset of 64 bits; here they become checked slices.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';

/**
 * The `length` bytes at `fileOffset` of the file. Throws `Malformed`
 * (`bytes.out-of-bounds`) where they do not all lie in it; the span then begins
 * where the region does, or at the end of the file when it begins beyond.
 */
export function regionAt(
  file: ByteReader,
  fileOffset: bigint,
  length: bigint,
  region: string,
): ByteReader {
  const size = BigInt(file.length);
  if (fileOffset + length <= size) return file.slice(Number(fileOffset), Number(length), region);
  const start = fileOffset < size ? Number(fileOffset) : file.length;
  throw file.malformed('bytes.out-of-bounds', `${region} runs past the end of the file`, {
    at: [start, file.length - start],
    expected: `${length} bytes at offset ${fileOffset}`,
    found: `a file of ${file.length} bytes`,
  });
}

/** How many whole records of `recordSize` bytes the file holds at `fileOffset`, at most `count`. */
export function wholeRecordsAt(
  file: ByteReader,
  fileOffset: bigint,
  count: bigint,
  recordSize: number,
): number {
  const size = BigInt(file.length);
  if (fileOffset >= size) return 0;
  const held = (size - fileOffset) / BigInt(recordSize);
  return Number(held < count ? held : count);
}
