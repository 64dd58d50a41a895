import type { Change } from '#analysis/workbench/changes.ts';
import styles from './ChangeSign.module.css';

const SIGNS: Readonly<Record<Change, string>> = { new: '+', changed: '~' };

/** The sign of a change beside its colour; its room is there without one, too. */
export function ChangeSign({ change }: { readonly change: Change | null }) {
  return (
    <span className={styles.sign} aria-hidden="true">
      {change === null ? '' : SIGNS[change]}
    </span>
  );
}
