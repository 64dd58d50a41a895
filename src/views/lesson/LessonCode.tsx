import { labelPieces } from '#glossary/find-terms.ts';
import { Term } from '#views/parts/Term.tsx';
import styles from './LessonCode.module.css';

type LessonCodeProps = {
  /** Visible text. */
  readonly text: string;
  /** In a link or a button, where a word with a card would be a button in a button. */
  readonly isPlain?: boolean;
};

/** Inline code of a lesson; with its card where it is a term of the field. */
export function LessonCode({ text, isPlain = false }: LessonCodeProps) {
  const [only, more] = isPlain ? [] : labelPieces(text);
  const term = more === undefined ? (only?.term ?? null) : null;
  return (
    <code className={styles.code}>{term === null ? text : <Term id={term}>{text}</Term>}</code>
  );
}
