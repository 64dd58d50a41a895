import type { ReactNode } from 'react';
import styles from './Toolbar.module.css';

type ToolbarProps = {
  /** Accessible name of the group. */
  readonly label: string;
  readonly children: ReactNode;
  /** At the far end. */
  readonly end?: ReactNode;
};

/**
 * A row of controls over a view. Each control keeps its own tab stop, because
 * text fields are among them and need the arrow keys; so it is a group, not an
 * ARIA toolbar.
 */
export function Toolbar({ label, children, end }: ToolbarProps) {
  return (
    <fieldset className={styles.toolbar} aria-label={label}>
      {children}
      {end === undefined ? null : <div className="row gap-2 at-end">{end}</div>}
    </fieldset>
  );
}
