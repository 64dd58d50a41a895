import { grouped } from '#ui/grouped.ts';
import styles from './LayoutFacts.module.css';
import type { LayoutFact } from './layout-facts.ts';

/** What costs bytes: told in the colour of a warning as well. */
const LOSSES: ReadonlySet<string> = new Set([
  'holes',
  'sum holes',
  'padding',
  'bit holes',
  'sum bit holes',
  'bit_padding',
]);

/** The figures that pahole ends with, as a row of terms. */
export function LayoutFacts({ facts }: { readonly facts: readonly LayoutFact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ term, value }) => (
        <div key={term} className={styles.fact} data-loss={LOSSES.has(term)}>
          <dt>{term}</dt>
          <dd>{value.replace(/^\d+/, (digits) => grouped(Number(digits)))}</dd>
        </div>
      ))}
    </dl>
  );
}
