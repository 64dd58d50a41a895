import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
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
            {value}
            {isMono && typeof value === 'string' && value !== '' ? (
              <span className={styles.copy}>
                <CopyButton
                  text={value.replaceAll('\u202f', '')}
                  label={`Copy ${term}`}
                  isIconOnly
                />
              </span>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
