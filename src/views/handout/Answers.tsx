import { useEffect, useState } from 'react';
import { visible } from '#bytes/text.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { answerWords } from '#store/lesson/presenter-answers.ts';
import styles from './Answers.module.css';

/** The answers of all questions, worked out from the files, on a page of their own. */
export function Answers({
  open,
  isReady,
}: {
  readonly open: OpenLesson;
  /** Are the files open? */
  readonly isReady: boolean;
}) {
  const answers = useAnswers(open, isReady);
  const asked = (open.lesson?.steps ?? []).flatMap((step, index) =>
    step.question === null ? [] : [{ step, index }],
  );
  if (asked.length === 0) return null;
  return (
    <section className={styles.answers} aria-labelledby="answers">
      <h2 id="answers" className={styles.title}>
        Answers
      </h2>
      <ol className={styles.list}>
        {asked.map(({ step, index }) => (
          <li key={step.id} value={index + 1}>
            <strong>{visible(step.title)}</strong>: {answers.get(step.id) ?? '…'}
          </li>
        ))}
      </ol>
    </section>
  );
}

function useAnswers(open: OpenLesson, isReady: boolean): ReadonlyMap<string, string> {
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!isReady) return;
    let isWanted = true;
    const workOut = async () => {
      for (const [stepIndex, { id, question }] of (open.lesson?.steps ?? []).entries()) {
        if (question === null || !isWanted) continue;
        const words = await answerWords({ ...open, stepIndex }, question);
        if (isWanted) setAnswers((known) => new Map(known).set(id, words));
      }
    };
    void workOut();
    return () => {
      isWanted = false;
    };
  }, [open, isReady]);
  return answers;
}
