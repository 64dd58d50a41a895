import type { Span } from '#bytes/span.ts';
import { useBytes } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { hexBytes } from '#views/parts/insn-fields.ts';

const SHOWN = 16;

/** The first bytes of a span, in hex. */
export function SpanBytes({ id, span }: { readonly id: FileId; readonly span: Span }) {
  const end = Math.min(span.end, span.start + SHOWN);
  const bytes = useBytes(id, span.start, end);
  if (bytes === null) return '…';
  return `${hexBytes(bytes)}${end < span.end ? ' …' : ''}`;
}
