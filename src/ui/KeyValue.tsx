import type { ReactNode } from 'react';
import { Copyable } from './CopyButton.tsx';
import styles from './KeyValue.module.css';

export type KeyValueItem = {
  readonly term: string;
  readonly value: ReactNode;
  /** Whether the value is monospaced: true for bytes, code, names and numbers. */
  readonly isMono?: boolean;
};

type KeyValueProps = {
  readonly items: readonly KeyValueItem[];
  /** Draws a term. By default a term is plain text. */
  readonly renderTerm?: (term: string) => ReactNode;
};

/** Draws pairs of a term and a value. Monospaced values have a copy button. */
export function KeyValue({ items, renderTerm }: KeyValueProps) {
  return (
    <dl className={styles.list}>
      {items.map(({ term, value, isMono = false }) => (
        <div key={term} className={styles.item}>
          <dt className="small muted">{renderTerm === undefined ? term : renderTerm(term)}</dt>
          <dd className={styles.value} data-mono={isMono}>
            {isMono && typeof value === 'string' ? (
              <Copyable text={value} what={term}>
                {value}
              </Copyable>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
