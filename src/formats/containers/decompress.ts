/**
 * Unpacks compressed files and sections. Loads the code for a format on first use. All decoders are
 * JavaScript of btfscope, except the SHA-256 of xz (@noble/hashes). Reasons against packages:
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
  /** Largest number of unpacked bytes. Small input has a lower limit, see `maxUnpacked`. */
  readonly limit: number;
  /** File offset of the first compressed byte, for the spans of issues; 0 by default. */
  readonly fileOffset?: number;
  readonly signal?: Signal | undefined;
  /** Called several times a second with the number of compressed bytes read, and their total. */
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

/** Accepted ratio of unpacked to packed size. Kernels have a ratio of 10, but zeros 1000. */
const UNPACKED_PER_BYTE = 32;
const SMALL_UNPACKED = 1 << 26;

/** Returns the largest unpacked size accepted for `packedLength` bytes. A bomb unpacks to more. */
function maxUnpacked(packedLength: number): number {
  return SMALL_UNPACKED + UNPACKED_PER_BYTE * packedLength;
}

/** Kernel builds append the unpacked size (four bytes) if the format has no size field. */
const SIZE_LENGTH = 4;

/** Codes of issues that still let `decompress` return the data before the fault. */
const LEAVES_DATA = new Set(['container.truncated', 'container.corrupt']);

/**
 * Unpacks `bytes`. Returns the data before a cut (`container.truncated`) or damage
 * (`container.corrupt`), and all data for a wrong checksum (`container.checksum`); these faults are
 * errors in `issues`. Bytes after the end (`container.trailing`) are a warning, except the size
 * that kernel builds append. Throws `Malformed` for too much output (`container.too-large`) and
 * unsupported streams (`container.unsupported`). Throws the reason of an aborted signal.
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
