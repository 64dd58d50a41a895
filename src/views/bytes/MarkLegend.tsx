import { grouped } from '#ui/grouped.ts';
import styles from './MarkLegend.module.css';
import type { LegendEntry } from './mark-legend.ts';

/** The colours of the marks, each with its word and how many there are. */
export function MarkLegend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  if (entries.length === 0) return <p className={styles.none}>No relocations and no types here</p>;
  return (
    <ul className={styles.legend} aria-label="What the colours mean">
      {entries.map(({ tone, word, count }) => (
        <li key={tone} className={styles.entry}>
          <span aria-hidden className={styles.swatch} data-tone={tone} />
          {word} <span className={styles.count}>{grouped(count)}</span>
        </li>
      ))}
    </ul>
  );
}
