import { drawnName } from '#bytes/text.ts';
import styles from './Name.module.css';

type NameProps = {
  readonly text: string;
  readonly otherwise?: string;
};

/** Shows a name from the file, escaped. An empty name is shown as `otherwise`. */
export function Name({ text, otherwise = '(anon)' }: NameProps) {
  return text === '' ? (
    <span className="muted">{otherwise}</span>
  ) : (
    <bdi className="mono">{drawnName(text)}</bdi>
  );
}

/** Number of characters at the end of a cut name that stay visible. */
const END_LENGTH = 6;

/** Shows a `Name`, cut in the middle if necessary, because names often differ in their ends. */
export function CutName({ text, otherwise = '(no name)' }: NameProps) {
  const name = drawnName(text);
  const cut = name.length - END_LENGTH;
  if (cut < 4) return <Name text={text} otherwise={otherwise} />;
  return (
    <span className={styles.cut} title={name}>
      {/* Screen readers read this copy: they would read the two parts with a space between. */}
      <bdi className="visually-hidden">{name}</bdi>
      <bdi className={styles.start} aria-hidden data-text={name.slice(0, cut)} />
      <bdi className={styles.end} aria-hidden data-text={name.slice(cut)} />
    </span>
  );
}
