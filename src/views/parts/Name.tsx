import { drawnName } from '#bytes/text.ts';
import styles from './Name.module.css';

type NameProps = {
  readonly text: string;
  readonly otherwise?: string;
};

/** A name out of the file. Invisible and direction-turning characters are written as escapes; an empty one says `otherwise`. */
export function Name({ text, otherwise = '(anon)' }: NameProps) {
  return text === '' ? (
    <span className="muted">{otherwise}</span>
  ) : (
    <bdi className="mono">{drawnName(text)}</bdi>
  );
}

/** Characters at the end that are not cut off. */
const KEPT = 6;

/** As `Name`, in a place that may be too narrow: what is left out is in the middle, since names often differ in their ends. */
export function CutName({ text, otherwise = '(no name)' }: NameProps) {
  const name = drawnName(text);
  const cut = name.length - KEPT;
  if (cut < 4) return <Name text={text} otherwise={otherwise} />;
  return (
    <span className={styles.cut} title={name}>
      {/* In one piece for those who hear it; the two would be read with a space between. */}
      <bdi className="visually-hidden">{name}</bdi>
      <bdi className={styles.start} aria-hidden data-text={name.slice(0, cut)} />
      <bdi className={styles.end} aria-hidden data-text={name.slice(cut)} />
    </span>
  );
}
