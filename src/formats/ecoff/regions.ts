/** Regions of an eCOFF file as bounds-checked slices. All pointers of the format are 64-bit file offsets. */
import type { ByteReader } from '#bytes/byte-reader.ts';

/**
 * Returns the `length` bytes at `fileOffset` of the file. Throws `Malformed`
 * (`bytes.out-of-bounds`) if they are not all in the file; its span begins at the region, or at the
 * end of the file for a region beyond.
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

/** Returns the number of complete records of `recordSize` bytes at `fileOffset` of the file, at most `count`. */
export function wholeRecordsAt(
  file: ByteReader,
  fileOffset: bigint,
  count: bigint,
  recordSize: number,
): number {
  const size = BigInt(file.length);
  if (fileOffset >= size) return 0;
  const available = (size - fileOffset) / BigInt(recordSize);
  return Number(available < count ? available : count);
}
