import { drawnName } from '#bytes/text.ts';
import styles from './WordText.module.css';

/** An instruction of one word as its tools write it: `ldq t12,-32752(gp)`. Raw text goes in. */
export function WordText({ text }: { readonly text: string }) {
  const at = text.indexOf(' ');
  const name = at < 0 ? text : text.slice(0, at);
  return (
    <code className={styles.text}>
      <span className={styles.name}>{drawnName(name)}</span>
      {at < 0 ? '' : ` ${drawnName(text.slice(at + 1))}`}
    </code>
  );
}
