import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type EmptyStateProps = {
  readonly title: string;
  /** Why it is empty, or what to do. */
  readonly text?: string;
  readonly icon?: ReactNode;
  readonly actions?: ReactNode;
};

/** What a panel shows when it has nothing to show. */
export function EmptyState({ title, text, icon, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon === undefined ? null : <div className={styles.icon}>{icon}</div>}
      <p className="bold size-14">{title}</p>
      {text === undefined ? null : <p className={styles.text}>{text}</p>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
