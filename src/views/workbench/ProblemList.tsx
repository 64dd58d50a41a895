import { CircleAlert } from 'lucide-react';
import type { Problem } from '#analysis/workbench/parse.ts';
import { drawnName } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';
import { PROBLEMS_ID } from './DeclarationEditor.tsx';
import { placeOf } from './editor-lines.ts';
import styles from './ProblemList.module.css';

type ProblemListProps = {
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Puts the caret there. */
  readonly onGoTo: (start: number, end: number) => void;
};

/** What is wrong with the declarations, each with its place; a line when nothing is. */
export function ProblemList({ text, problems, onGoTo }: ProblemListProps) {
  if (problems.length === 0) {
    return (
      <p id={PROBLEMS_ID} className={styles.fine}>
        Compiled as clang does for BPF
      </p>
    );
  }
  return (
    <div id={PROBLEMS_ID} className={styles.problems}>
      <p className={styles.title}>
        <CircleAlert size={14} aria-hidden />
        {countOf(problems.length, 'problem')}
      </p>
      <ul className={styles.list}>
        {problems.map(({ message, start, end }) => {
          const { line, column } = placeOf(text, start);
          return (
            <li key={`${start} ${message}`}>
              <button type="button" className={styles.problem} onClick={() => onGoTo(start, end)}>
                <span className={styles.place}>
                  line {line}, column {column}
                </span>
                <span>{drawnName(message)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
