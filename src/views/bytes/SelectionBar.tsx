import type { Span } from '#bytes/span.ts';
import { useBytes } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { countOf, hexText, sizeText } from '#views/parts/number-text.ts';
import { base64Text, hexText as bytesAsHex, cArrayText, MAX_COPIED_BYTES } from './copy-bytes.ts';
import { MarkLegend } from './MarkLegend.tsx';
import type { LegendEntry } from './mark-legend.ts';
import styles from './SelectionBar.module.css';
import type { ShowBytes } from './shown-bytes.ts';

type SelectionBarProps = {
  readonly id: FileId;
  /** File offsets of what can be copied; null when nothing is selected. */
  readonly span: Span | null;
  /** Added to a file offset to write it. */
  readonly shift: number;
  readonly legend: readonly LegendEntry[];
  /** What is copied is what is seen. */
  readonly shown: ShowBytes;
};

/** Under the bytes: what the colours mean, what is selected, and taking it along. */
export function SelectionBar({ id, span, shift, legend, shown }: SelectionBarProps) {
  return (
    <div className={styles.bar}>
      <MarkLegend entries={legend} />
      {span === null ? null : (
        <div className={styles.selected}>
          <span className={styles.range}>
            <span className={styles.offsets}>
              {rangeText(span.start + shift, span.end - 1 + shift)}
            </span>{' '}
            {countOf(span.end - span.start, 'byte')}
          </span>
          {span.end - span.start > MAX_COPIED_BYTES ? (
            <span>Up to {sizeText(MAX_COPIED_BYTES)} can be copied</span>
          ) : (
            <CopyButtons id={id} span={span} shown={shown} />
          )}
        </div>
      )}
    </div>
  );
}

/** `0x40–0x47`, and one byte by itself. */
function rangeText(first: number, last: number): string {
  return first === last ? hexText(first) : `${hexText(first)}–${hexText(last)}`;
}

function CopyButtons({
  id,
  span,
  shown,
}: Pick<SelectionBarProps, 'id' | 'shown'> & { readonly span: Span }) {
  const stored = useBytes(id, span.start, span.end);
  if (stored === null) return <span>Loading…</span>;
  const bytes = () => shown(span.start, stored);
  return (
    <span className={styles.copy}>
      <CopyButton label="Copy as hex" text={() => bytesAsHex(bytes())} />
      <CopyButton label="Copy as C array" text={() => cArrayText(bytes(), span.start)} />
      <CopyButton label="Copy as base64" text={() => base64Text(bytes())} />
    </span>
  );
}
