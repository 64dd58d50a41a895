/** Where bytes come from: a dropped `File`, a buffer, a file on disk. Read by ranges, so that a gigabyte is never held. */
import { Malformed } from './issue.ts';

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

/** A source over a browser `File` or `Blob`. */
export function blobSource(name: string, blob: Blob): ByteSource {
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

function clip(offset: number, size: number): number {
  return Math.max(0, Math.min(offset, size));
}
