import type { ReactNode } from 'react';
import styles from './KeyValue.module.css';

export type KeyValueItem = {
  readonly term: string;
  readonly value: ReactNode;
  /** Bytes, code, names and numbers. */
  readonly isMono?: boolean;
};

type KeyValueProps = {
  readonly items: readonly KeyValueItem[];
  /** Draws a name; as it stands by default. */
  readonly renderTerm?: (term: string) => ReactNode;
};

/** Names and their values, as a description list. */
export function KeyValue({ items, renderTerm }: KeyValueProps) {
  return (
    <dl className={styles.list}>
      {items.map(({ term, value, isMono = false }) => (
        <div key={term} className={styles.item}>
          <dt className="small muted">{renderTerm === undefined ? term : renderTerm(term)}</dt>
          <dd className={styles.value} data-mono={isMono}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
