/**
 * Unpacks compressed files and sections; the code for each format is loaded on first use. All
 * decoders are plain JavaScript of this project, except the SHA-256 of xz (@noble/hashes):
 * - gzip, zlib: fflate does not report the end of a stream (see inflate.ts).
 * - zstd: one flipped bit can make fzstd loop for ever.
 * - xz, lzma: xz-decompress has no SHA-256, and its WebAssembly would need a wider page policy.
 * - lz4: the packages do not read legacy frames, which kernels are packed in.
 * - bzip2: the packages have no types, no output limit, and return nothing of a truncated file.
 */
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Signal } from '#bytes/long-work.ts';
import { PackedInput } from './packed-input.ts';
import { runSteps, type Unpack } from './steps.ts';
import { UnpackedOutput } from './unpacked-output.ts';

export type CompressedKind = 'gzip' | 'xz' | 'zstd' | 'lzma' | 'bzip2' | 'lz4' | 'zlib' | 'deflate';

export type DecompressOptions = {
  readonly region: string;
  /** Limit of unpacked bytes, and of memory for them. A short stream has a lower limit, see `maxUnpacked`. */
  readonly limit: number;
  /** File offset of the first compressed byte, for the spans of issues; 0 by default. */
  readonly fileOffset?: number;
  readonly signal?: Signal | undefined;
  /** Called now and then with the number of packed bytes done and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

export type Decompressed = { readonly bytes: Uint8Array; readonly issues: readonly Issue[] };

const UNPACKERS: Readonly<Record<CompressedKind, () => Promise<Unpack>>> = {
  gzip: async () => (await import('./gzip.ts')).unpackGzip,
  xz: async () => (await import('./xz.ts')).unpackXz,
  zstd: async () => (await import('./zstd.ts')).unpackZstd,
  lzma: async () => (await import('./lzma.ts')).unpackLzma,
  bzip2: async () => (await import('./bzip2.ts')).unpackBzip2,
  lz4: async () => (await import('./lz4.ts')).unpackLz4,
  zlib: async () => (await import('./gzip.ts')).unpackZlib,
  deflate: async () => (await import('./inflate.ts')).inflate,
};

/** Kernels unpack to ten times their size, zeros to a thousand times. */
const UNPACKED_PER_BYTE = 32;
const SMALL_UNPACKED = 1 << 26;

/** Returns the limit of unpacked bytes for `packedLength` bytes; a larger result is a decompression bomb. */
function maxUnpacked(packedLength: number): number {
  return SMALL_UNPACKED + UNPACKED_PER_BYTE * packedLength;
}

/** Kernel builds append the unpacked size, four bytes, to streams of formats without a size field. */
const SIZE_LENGTH = 4;

/** Issues after which the data unpacked before them is still returned. */
const LEAVES_DATA = new Set(['container.truncated', 'container.corrupt']);

/**
 * Unpacks `bytes`. Returns the data before a cut (`container.truncated`) or damage
 * (`container.corrupt`), and all data for a wrong checksum (`container.checksum`), each with an
 * error in `issues`; bytes after the end (`container.trailing`) are a warning, except the unpacked
 * size. Throws `Malformed` for output of more than `limit` or `maxUnpacked` bytes
 * (`container.too-large`) and for unsupported streams (`container.unsupported`), and the signal's
 * reason once it is aborted.
 */
export async function decompress(
  kind: CompressedKind,
  bytes: Uint8Array,
  options: DecompressOptions,
): Promise<Decompressed> {
  const input = new PackedInput(bytes, options.region, options.fileOffset);
  const limit = Math.min(options.limit, maxUnpacked(bytes.length));
  const output = new UnpackedOutput(options.region, limit, bytes.length);
  const issues: Issue[] = [];
  const { onProgress } = options;
  const unpack = await UNPACKERS[kind]();
  try {
    await runSteps(
      unpack(input, output, issues),
      options.signal,
      onProgress && (() => onProgress(input.byteOffset, bytes.length)),
    );
  } catch (error) {
    if (!(error instanceof Malformed) || !LEAVES_DATA.has(error.issue.code)) throw error;
    issues.push(error.issue);
  }
  const unpacked = output.finish();
  return {
    bytes: unpacked,
    issues: issues.filter((i) => !isAppendedSize(i, bytes, unpacked.length)),
  };
}

function isAppendedSize(issue: Issue, packed: Uint8Array, unpackedLength: number): boolean {
  if (issue.code !== 'container.trailing' || issue.span === null) return false;
  if (issue.span.end - issue.span.start !== SIZE_LENGTH) return false;
  const last = packed.subarray(packed.length - SIZE_LENGTH);
  return last.reduceRight((value, byte) => value * 0x100 + byte, 0) === unpackedLength;
}
