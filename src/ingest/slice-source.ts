/** A part of a file as a file of its own. */
import type { ByteSource } from '#bytes/source.ts';
import type { Span } from '#bytes/span.ts';

/** The bytes of `span` in `source`, which must hold it; offsets in the slice count from 0. Reads nothing yet. */
export function sliceSource(source: ByteSource, span: Span): ByteSource {
  const size = span.end - span.start;
  const place = (offset: number) => span.start + Math.max(0, Math.min(offset, size));
  return {
    name: source.name,
    size,
    read: (start, end) => source.read(place(start), place(end)),
  };
}
