import { ArrowRight } from 'lucide-react';
import type { TypeComparison } from '#analysis/compare/compare-types.ts';
import { changeText, typeLabel } from '#analysis/compare/comparison-text.ts';
import { facetCounts } from '#analysis/compare/facets.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import { Chip } from '#ui/Chip.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import type { CompareSide } from './compare-sides.ts';
import { facetParts } from './facet-words.ts';
import styles from './LockStepHead.module.css';
import type { ComparedPair } from './use-comparison.ts';

/** What is compared, and what it comes to as a whole. */
export function LockStepHead({
  before,
  after,
  pair,
  comparison,
  isTitled,
}: {
  readonly before: CompareSide;
  readonly after: CompareSide;
  readonly pair: ComparedPair;
  readonly comparison: TypeComparison;
  /** Both types stand above already: then the title is for screen readers. */
  readonly isTitled: boolean;
}) {
  const { a, b } = pair;
  const isOneName = a !== null && b !== null && nameOf(before.types, a) === nameOf(after.types, b);
  return (
    <header className={styles.head}>
      <h2 className={isTitled ? 'visually-hidden' : styles.title}>
        {a === null ? null : <Title side={before} type={a} />}
        {a === null || b === null || isOneName ? null : <ArrowRight size={14} aria-hidden />}
        {b === null || isOneName ? null : <Title side={after} type={b} />}
      </h2>
      <p className={styles.verdict}>{verdictWords(pair, comparison)}</p>
      <ul className={styles.changes} aria-label="Changes of the type as a whole">
        {comparison.head.map((change) => (
          <li key={change.what}>
            <Chip tone="warning">{drawnName(changeText(change))}</Chip>
          </li>
        ))}
      </ul>
    </header>
  );
}

function Title({ side, type }: { readonly side: CompareSide; readonly type: TypeId }) {
  const label = typeLabel(side.types, type);
  return (
    <>
      <KindBadge kind={kindOf(side.types, type)} />
      <Name text={label === '(anon)' ? typeTitle(side.types, type) : label} />
    </>
  );
}

function verdictWords({ a, b }: ComparedPair, comparison: TypeComparison): string {
  if (a === null) return 'Only after';
  if (b === null) return 'Only before';
  switch (comparison.verdict) {
    case 'same':
      return 'The same on both sides, and in all that it holds';
    case 'inside':
      return 'Its own lines are the same: only a type that it holds is changed';
    case 'direct': {
      // The size stands beside it, with its numbers.
      const [, ...counts] = facetCounts(comparison);
      const parts = facetParts([0, ...counts]);
      return parts.length === 0 ? 'Changed' : parts.join(', ');
    }
  }
}
