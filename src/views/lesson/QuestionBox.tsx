import { MousePointerClick } from 'lucide-react';
import type { Question } from '#lessons/lesson.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { ChoiceAnswer } from './ChoiceAnswer.tsx';
import { Prose } from './Prose.tsx';
import styles from './QuestionBox.module.css';
import { ShowMe } from './ShowMe.tsx';
import { TypedAnswer } from './TypedAnswer.tsx';
import { Verdict } from './Verdict.tsx';

type QuestionBoxProps = {
  readonly open: OpenLesson;
  readonly question: Question;
  readonly stepId: string;
};

/** The question of a step, a way to answer it, and what was said to the answer. */
export function QuestionBox({ open, question, stepId }: QuestionBoxProps) {
  const wasAnswered = useProgress(
    ({ lessons }) => progressOf(lessons, open.key)?.done.includes(stepId) ?? false,
  );
  const { answer, misses } = open;
  return (
    <fieldset className={styles.question} aria-label="Question">
      <Prose nodes={question.prompt} />
      {question.kind === 'click' ? (
        <p className={styles.hint}>
          <MousePointerClick size={14} aria-hidden />
          Answer by selecting it in the tool.
        </p>
      ) : question.kind === 'choice' ? (
        <ChoiceAnswer options={question.options} answer={answer} misses={misses} />
      ) : (
        <TypedAnswer kind={question.kind} misses={misses} isRight={answer?.isRight ?? false} />
      )}
      <Verdict answer={answer} />
      {answer === null && wasAnswered ? (
        <p className={styles.before}>You have answered this before.</p>
      ) : null}
      {question.kind === 'click' ? (
        <ShowMe misses={misses} isRight={answer?.isRight ?? false} onShown={() => undefined} />
      ) : null}
    </fieldset>
  );
}
