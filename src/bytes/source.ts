/** Sources of bytes: a `File`, a buffer, or a file on disk, which readers read in ranges. */
import { Malformed } from './issue.ts';
import type { Span } from './span.ts';

/** Largest size of a file in memory, because a megabyte of gzip can unpack to a gigabyte. */
export const MAX_MEMORY = 512 * 1024 * 1024;

export type ByteSource = {
  readonly name: string;
  /** Size of the source in bytes. */
  readonly size: number;
  /** Returns the bytes `start` to `end` (exclusive). Throws `Malformed` (`source.unreadable`). */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Takes the size of data that is unpacked from the source. Throws if the sum is too large. */
  readonly onUnpacked?: ((bytes: number) => void) | undefined;
};

/** Returns a source over data that was unpacked from `outer`, and adds its size to the sum. */
export function unpackedSource(outer: ByteSource, name: string, bytes: Uint8Array): ByteSource {
  outer.onUnpacked?.(bytes.length);
  return { ...bufferSource(name, bytes), onUnpacked: outer.onUnpacked };
}

/** Returns a source over bytes in memory. Its `read` returns views of `bytes`, not copies. */
export function bufferSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (start, end) =>
      Promise.resolve(bytes.subarray(clip(start, bytes.length), clip(end, bytes.length))),
  };
}

/** The parts of a `Blob` or `File` that `blobSource` uses. */
export type BlobLike = {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
};

/** Returns a source that reads from a `File` or `Blob`. */
export function blobSource(name: string, blob: BlobLike): ByteSource {
  return {
    name,
    size: blob.size,
    async read(start, end) {
      try {
        return new Uint8Array(
          await blob.slice(clip(start, blob.size), clip(end, blob.size)).arrayBuffer(),
        );
      } catch (cause) {
        throw new Malformed({
          code: 'source.unreadable',
          region: name,
          message: `${name} can no longer be read`,
          span: { start, end },
          found: cause instanceof Error ? cause.message : String(cause),
          advice: 'The file was changed, moved or removed after it was opened. Open it again.',
        });
      }
    },
  };
}

/** Largest file in bytes that is read in one call. The BTF of a kernel has up to 7 MB. */
const MAX_WHOLE_SIZE = 8 << 20;

/** Returns `source`, copied to memory if it is small: each read of a file takes milliseconds. */
export async function inMemoryIfSmall(source: ByteSource): Promise<ByteSource> {
  if (source.size > MAX_WHOLE_SIZE) return source;
  const copy = bufferSource(source.name, await source.read(0, source.size));
  return { ...copy, onUnpacked: source.onUnpacked };
}

function clip(offset: number, size: number): number {
  return Math.max(0, Math.min(offset, size));
}

const WINDOW_SIZE = 1024 * 1024;
/** Largest read in bytes that the cached window serves; larger reads go to the source. */
const MAX_WINDOWED_READ = WINDOW_SIZE / 8;

/**
 * Returns a source for readers that go through a file once. It reads one megabyte at a time and
 * caches only the latest megabyte. `read` returns views, not copies.
 */
export function readAhead(source: ByteSource): ByteSource {
  let window = new Uint8Array(0);
  let windowStart = 0;
  return {
    ...source,
    async read(start, end) {
      const from = Math.max(0, start);
      const to = Math.max(from, Math.min(end, source.size));
      if (to - from > MAX_WINDOWED_READ) return source.read(from, to);
      if (from < windowStart || to > windowStart + window.length) {
        const bytes = await source.read(from, from + WINDOW_SIZE);
        // Set only after the read has ended: a concurrent read must not find half a window.
        window = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) as typeof window;
        windowStart = from;
        return bytes.subarray(0, to - from);
      }
      return window.subarray(from - windowStart, to - windowStart);
    },
  };
}

/** Returns a source over `span` of `source` without reading it. Offsets count from `span.start`. */
export function sliceSource(source: ByteSource, span: Span): ByteSource {
  const size = span.end - span.start;
  return {
    ...source,
    size,
    read: (start, end) => source.read(span.start + clip(start, size), span.start + clip(end, size)),
  };
}
