import type { ReactNode } from 'react';
import { Copyable } from './CopyButton.tsx';
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

/** Names and their values, as a description list; what stands in the font of code can be copied. */
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
