import { drawnName } from '#bytes/text.ts';
import styles from './Name.module.css';

/** A name out of the file. Invisible and direction-turning characters are written as escapes; an empty one says `otherwise`. */
export function Name({
  text,
  otherwise = '(anon)',
}: {
  readonly text: string;
  readonly otherwise?: string;
}) {
  return text === '' ? (
    <span className={styles.none}>{otherwise}</span>
  ) : (
    <bdi className={styles.name}>{drawnName(text)}</bdi>
  );
}
