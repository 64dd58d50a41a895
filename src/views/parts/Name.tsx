import { visible } from '#bytes/text.ts';
import styles from './Name.module.css';

/** A longer name is cut before it is drawn: a hostile one is as long as the file. */
const MAX_LENGTH = 1000;

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
    <bdi className={styles.name}>
      {visible(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)}
    </bdi>
  );
}
