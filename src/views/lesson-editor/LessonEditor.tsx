import { useId, useMemo, useRef } from 'react';
import { withPiece } from '#lessons/compose.ts';
import type { LessonProblem } from '#lessons/lesson.ts';
import {
  type PieceKind,
  pieceOfPlace,
  placeProblems,
  typeLesson,
} from '#store/lesson/edit-lesson.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import { announce, session, useSession } from '#store/session.ts';
import { EditorBar } from './EditorBar.tsx';
import styles from './LessonEditor.module.css';

/** The Markdown of the open lesson, and its problems. */
export function LessonEditor() {
  const open = useLesson((state) => state.open);
  const field = useRef<HTMLTextAreaElement>(null);
  const problemsId = useId();
  const files = useSession((state) => state.files);
  const problems = useMemo(
    () =>
      open === null
        ? []
        : [...open.problems, ...placeProblems(open, { ...session.getState(), files })],
    [open, files],
  );
  if (open === null) return null;

  const type = (text: string) => {
    if (!typeLesson(text)) announce('This browser keeps no drafts: save the lesson as a file');
  };
  const goTo = (caret: number) => {
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  };
  const insert = (kind: PieceKind) => {
    const piece = pieceOfPlace(kind);
    if (piece === null) {
      announce('Select something in the tool first');
      return;
    }
    const at = field.current?.selectionStart ?? open.text.length;
    const next = withPiece(open.text, at, piece);
    type(next.text);
    // Behind the drawing of the new text.
    requestAnimationFrame(() => goTo(next.caret));
  };
  return (
    <section className={styles.editor} aria-label="Text of the lesson">
      <h1 className={styles.title}>Text of the lesson</h1>
      <EditorBar open={open} onText={type} onInsert={insert} />
      <textarea
        ref={field}
        className={styles.field}
        aria-label="Markdown of the lesson"
        aria-invalid={problems.length > 0}
        aria-describedby={problemsId}
        value={open.text}
        spellCheck
        onChange={(event) => type(event.target.value)}
      />
      <ProblemList
        id={problemsId}
        problems={problems}
        onGo={(problem) => goTo(offsetOf(open.text, problem))}
      />
    </section>
  );
}

type ProblemListProps = {
  readonly id: string;
  readonly problems: readonly LessonProblem[];
  readonly onGo: (problem: LessonProblem) => void;
};

const MOST = 50;

/** The problems of a lesson by line and column; each selects its line. */
function ProblemList({ id, problems, onGo }: ProblemListProps) {
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

/** Lines and columns as places between the characters of a text. */

/** The offset of a line and column, both from 1; the end of the text where it is shorter. */
export function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
