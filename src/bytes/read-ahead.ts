/** Many small reads that follow each other, as few large ones: each read of a dropped file costs a third of a millisecond. */
import type { ByteSource } from './source.ts';

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
