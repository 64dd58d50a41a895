import { useId, useMemo, useRef } from 'react';
import { withPiece } from '#lessons/compose.ts';
import { type PieceKind, pieceOfPlace, typeLesson } from '#store/lesson/edit-lesson.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import { placeProblems } from '#store/lesson/place-problems.ts';
import { announce, session, useSession } from '#store/session.ts';
import { EditorBar } from './EditorBar.tsx';
import styles from './LessonEditor.module.css';
import { offsetOf } from './line-places.ts';
import { ProblemList } from './ProblemList.tsx';

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
