import type { ReactNode } from 'react';
import styles from './StatePage.module.css';

/** A page for a file that has no views: it is opening, was refused, or is wanted. */
export function StatePage(props: {
  readonly icon: ReactNode;
  readonly tone: 'accent' | 'danger' | 'warning' | 'info';
  readonly title: ReactNode;
  /** Under the title, in a sentence. */
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className="tall scroll-y">
      <div className={styles.page}>
        <span className={styles.icon} data-tone={props.tone}>
          {props.icon}
        </span>
        <h1 className={styles.title}>{props.title}</h1>
        {props.text === undefined ? null : <p className={styles.text}>{props.text}</p>}
        {props.children === undefined ? null : (
          <div className={styles.content}>{props.children}</div>
        )}
        {props.actions === undefined ? null : <div className={styles.actions}>{props.actions}</div>}
      </div>
    </div>
  );
}
