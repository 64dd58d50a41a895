import type { LessonProblem } from '#lessons/lesson.ts';
import styles from './ProblemList.module.css';

type ProblemListProps = {
  readonly id: string;
  readonly problems: readonly LessonProblem[];
  readonly onGo: (problem: LessonProblem) => void;
};

const MOST = 50;

/** The problems of a lesson by line and column; each selects its line. */
export function ProblemList({ id, problems, onGo }: ProblemListProps) {
  return (
    <div id={id} className={styles.box}>
      {problems.length === 0 ? (
        <p className={styles.fine}>No problems.</p>
      ) : (
        <ul className={styles.list}>
          {problems.slice(0, MOST).map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <button type="button" className={styles.problem} onClick={() => onGo(problem)}>
                <span className={styles.place}>
                  {problem.line}:{problem.column}
                </span>
                {problem.message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
