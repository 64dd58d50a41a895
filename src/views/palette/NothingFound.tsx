import { drawnName } from '#bytes/text.ts';
import styles from './NothingFound.module.css';
import { isCommandText } from './palette-items.ts';
import type { Found } from './use-find.ts';

/** Why there is no line, and what to do about it. */
export function NothingFound({ text, found }: { readonly text: string; readonly found: Found }) {
  const why = isCommandText(text)
    ? 'No command is called that'
    : (found.failure ?? found.answer?.problem ?? `Nothing here is called ${text.trim()}`);
  return (
    <div className={styles.nothing}>
      <p className={styles.why}>{drawnName(why)}</p>
      <p className={styles.hint}>Empty the field to see what can be asked.</p>
    </div>
  );
}
