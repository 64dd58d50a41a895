import { Binary } from 'lucide-react';
import type { Span } from '#bytes/span.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';

/** Selects the bytes and goes to them. Nothing where there are none. */
export function ShowBytes({ span }: { readonly span: Span | null }) {
  if (span === null) return null;
  return (
    <Button
      size="small"
      onClick={() => select({ kind: 'bytes', start: span.start, end: span.end }, 'bytes')}
    >
      <Binary size={14} aria-hidden />
      Show bytes
    </Button>
  );
}
