import type { ReactNode } from 'react';
import { useId } from 'react';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import styles from './Detail.module.css';

type DetailProps = {
  /** Over the title, small. */
  readonly mark: ReactNode;
  readonly title: ReactNode;
  /** A line under the title. */
  readonly line?: ReactNode;
  readonly actions?: ReactNode;
  readonly facts: readonly KeyValueItem[];
};

/** What is selected in the list, in full. */
export function Detail({ mark, title, line, actions, facts }: DetailProps) {
  const titleId = useId();
  return (
    <article className={styles.detail} aria-labelledby={titleId}>
      <div className={styles.mark}>{mark}</div>
      <h3 id={titleId} className={styles.title}>
        {title}
      </h3>
      {line === undefined ? null : <div className={styles.line}>{line}</div>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      <KeyValue items={facts} />
    </article>
  );
}
