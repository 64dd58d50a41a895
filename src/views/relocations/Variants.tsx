import type { RelocationDetail, Variant } from '#analysis/objects/relocation-facts.ts';
import styles from './Variants.module.css';

/** What each authority computes, with numbers; which of them is right; and what is demanded of the result. */
export function Variants({ detail }: { readonly detail: RelocationDetail }) {
  const { variants, reason, restriction, problem } = detail;
  return (
    <div className={styles.variants}>
      {variants.map((variant) => (
        <VariantBlock key={variant.by} variant={variant} isAlone={variants.length === 1} />
      ))}
      {variants.length === 0 ? (
        <p className={styles.words}>It computes nothing by itself.</p>
      ) : null}
      {reason === null ? null : <p className={styles.words}>{reason}</p>}
      {restriction === null ? null : <p className={styles.rule}>{restriction}</p>}
      {problem === null ? null : (
        <p className={styles.problem} data-tone="warning">
          This entry {problem}.
        </p>
      )}
    </div>
  );
}

function VariantBlock({
  variant,
  isAlone,
}: {
  readonly variant: Variant;
  readonly isAlone: boolean;
}) {
  const { by, formula, numbers, value, isMeant } = variant;
  return (
    <div className={styles.variant}>
      {isAlone ? null : (
        <p className={styles.by}>
          {by}
          {isMeant ? <span className={styles.right}> right</span> : null}
        </p>
      )}
      {formula === '' ? null : <p className={styles.formula}>{formula}</p>}
      {numbers === '' ? null : <p className={styles.numbers}>{numbers}</p>}
      {value === '' ? null : <p className={styles.value}>{value}</p>}
    </div>
  );
}
