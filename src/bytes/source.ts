/** Where bytes come from: a dropped `File`, a buffer, a file on disk. Read by ranges, so that a gigabyte is never held. */
import { Malformed } from './issue.ts';

/** What is held in memory at once, in bytes: a megabyte of gzip can hold a gigabyte of zeros. */
export const MEMORY_LIMIT = 512 * 1024 * 1024;

export type ByteSource = {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /**
   * Bytes `start` to `end` (exclusive), clipped to the file: the result is shorter
   * where the file ends. Throws `Malformed` (`source.unreadable`) when the file
   * can no longer be read.
   */
  read(start: number, end: number): Promise<Uint8Array>;
};

/** A source over bytes that are in memory. `read` gives views, not copies. */
export function bufferSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (start, end) =>
      Promise.resolve(bytes.subarray(clip(start, bytes.length), clip(end, bytes.length))),
  };
}

/** What is read of a `Blob` or `File`. */
export type BlobLike = {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
};

/** A source over a `File` or `Blob`. */
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

/** What is no larger is read in one go: a kernel's BTF has up to 7 MB. */
const WHOLE_LIMIT = 8 << 20;

/**
 * A source over `source`, in memory where it is small: each read of a dropped file costs
 * milliseconds, and an object is read in a dozen pieces. Throws as `source.read`.
 */
export async function inMemoryIfSmall(source: ByteSource): Promise<ByteSource> {
  if (source.size > WHOLE_LIMIT) return source;
  return bufferSource(source.name, await source.read(0, source.size));
}

function clip(offset: number, size: number): number {
  return Math.max(0, Math.min(offset, size));
}

/** Many small reads that follow each other, as few large ones: each read of a dropped file costs a third of a millisecond. */

const WINDOW = 1024 * 1024;
/** What is larger is read by itself, and the window stays. */
const SMALL = WINDOW / 8;

/**
 * A source over `source` that reads a megabyte at a time and keeps the last one. What it
 * gives are views into that, not copies. For readers that go through a file once.
 */
export function readAhead(source: ByteSource): ByteSource {
  let held = new Uint8Array(0);
  let heldStart = 0;
  return {
    name: source.name,
    size: source.size,
    async read(start, end) {
      const from = Math.max(0, start);
      const to = Math.max(from, Math.min(end, source.size));
      if (to - from > SMALL) return source.read(from, to);
      if (from < heldStart || to > heldStart + held.length) {
        const bytes = await source.read(from, from + WINDOW);
        // Only now: others may read meanwhile, and each must find its own bytes.
        held = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) as typeof held;
        heldStart = from;
        return bytes.subarray(0, to - from);
      }
      return held.subarray(from - heldStart, to - heldStart);
    },
  };
}
