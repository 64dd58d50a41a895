/** Possible starts of compressed data inside a file, by the magic numbers of the formats. */
import { DEFLATE } from './gzip.ts';
import { type PackedKind, sniff } from './sniff.ts';
import { startsWith } from './starts-with.ts';

export type PackedPlace = { readonly kind: PackedKind; readonly byteOffset: number };

/** The first two bytes of each format, low byte first; for .lzma those of the usual properties. */
const STARTS = Uint16Array.of(0x8b1f, 0x37fd, 0xb528, 0x2102, 0x2204, 0x5a42, 0x005d);

/** Bytes that `sniff` reads of compressed files. */
const HEAD_LENGTH = 512;

const LZOP_MAGIC = [0x89, 0x4c, 0x5a, 0x4f, 0x00, 0x0d, 0x0a, 0x1a, 0x0a];

/** Yields every offset in `bytes` that looks like the start of a compressed stream, ascending. */
export function* packedPlaces(bytes: Uint8Array): Generator<PackedPlace, void, undefined> {
  const isStart = new Uint8Array(0x10000);
  for (const start of STARTS) isStart[start] = 1;
  let pair = (bytes[0] ?? 0) << 8;
  for (let at = 0; at + 1 < bytes.length; at++) {
    pair = (pair >> 8) | ((bytes[at + 1] ?? 0) << 8);
    if (isStart[pair] !== 1) continue;
    const kind = sniff(bytes.subarray(at, at + HEAD_LENGTH));
    // The magic number of gzip has two bytes only; the method byte after it is always the same.
    if (kind === 'gzip' && bytes[at + 2] !== DEFLATE) continue;
    if (isPackedKind(kind)) yield { kind, byteOffset: at };
  }
}

/** True if `bytes` has data of lzop, which this project does not unpack. */
export function hasLzop(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x89); at >= 0; at = bytes.indexOf(0x89, at + 1)) {
    if (startsWith(bytes, LZOP_MAGIC, at)) return true;
  }
  return false;
}

const PACKED_KINDS: ReadonlySet<string> = new Set<PackedKind>([
  'gzip',
  'xz',
  'zstd',
  'lzma',
  'bzip2',
  'lz4',
]);

/** True for files that are compressed as a whole. */
export function isPackedKind(kind: string): kind is PackedKind {
  return PACKED_KINDS.has(kind);
}
