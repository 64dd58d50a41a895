/**
 * Unpacks compressed files and sections; each kind's code is fetched when first met.
 * All of it is our own plain JavaScript, but for the SHA-256 of xz (@noble/hashes):
 * - gzip, zlib: fflate does not tell where a stream ends (more in inflate.ts).
 * - zstd: one flipped bit can keep fzstd busy for ever.
 * - xz, lzma: xz-decompress has no SHA-256, and its WebAssembly would widen the page's policy.
 * - lz4: the packages read no legacy frames, which is what kernels are packed in.
 * - bzip2: the packages have no types, no limit on what comes out, and nothing of a cut file.
 */
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Signal } from '#bytes/slices.ts';
import { PackedInput } from './packed-input.ts';
import { runSteps, type Unpack } from './steps.ts';
import { UnpackedOutput } from './unpacked-output.ts';

export type CompressedKind = 'gzip' | 'xz' | 'zstd' | 'lzma' | 'bzip2' | 'lz4' | 'zlib' | 'deflate';

export type DecompressOptions = {
  /** The file or section, as a person calls it. */
  readonly region: string;
  /** Most bytes that may come out; no more are ever allocated. Of a short stream less, see `mostUnpacked`. */
  readonly limit: number;
  /** File offset of the first compressed byte, for the spans of issues; 0 unless told. */
  readonly fileOffset?: number;
  readonly signal?: Signal | undefined;
  /** Called now and then with the packed bytes that are done, of all of them. */
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

/** Bytes after which a stream of `packedLength` bytes is taken for a bomb. */
function mostUnpacked(packedLength: number): number {
  return SMALL_UNPACKED + UNPACKED_PER_BYTE * packedLength;
}

/** The builds of kernels put the unpacked size, four bytes, behind streams that do not hold it. */
const SIZE_LENGTH = 4;

/** Damage that leaves what came out before it worth showing. */
const LEAVES_DATA = new Set(['container.truncated', 'container.corrupt']);

/**
 * Unpacks `bytes`. A stream that is cut (`container.truncated`) or damaged
 * (`container.corrupt`) gives what came out before, a wrong checksum
 * (`container.checksum`) gives all data, each with an error in `issues`; bytes
 * after the end (`container.trailing`) are a warning, unless they are just the
 * unpacked size. Throws `Malformed` when
 * more than `limit` bytes, or than `mostUnpacked`, would come out (`container.too-large`) or the stream
 * needs what we cannot do (`container.unsupported`), and the signal's reason
 * when it is aborted.
 */
export async function decompress(
  kind: CompressedKind,
  bytes: Uint8Array,
  options: DecompressOptions,
): Promise<Decompressed> {
  const input = new PackedInput(bytes, options.region, options.fileOffset);
  const limit = Math.min(options.limit, mostUnpacked(bytes.length));
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
    issues: issues.filter((i) => !isSizeBehind(i, bytes, unpacked.length)),
  };
}

function isSizeBehind(issue: Issue, packed: Uint8Array, unpackedLength: number): boolean {
  if (issue.code !== 'container.trailing' || issue.span === null) return false;
  if (issue.span.end - issue.span.start !== SIZE_LENGTH) return false;
  const last = packed.subarray(packed.length - SIZE_LENGTH);
  return last.reduceRight((value, byte) => value * 0x100 + byte, 0) === unpackedLength;
}
