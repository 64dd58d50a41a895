import { useEffect, useState } from 'react';
import { stepNow, useLesson } from '#store/lesson/lesson-state.ts';
import { answerWords } from '#store/lesson/presenter-answers.ts';

/** The right answer of the step that is shown, in words; null while it is worked out. */
export function useRightAnswer(): string | null {
  const step = useLesson(stepNow);
  const [found, setFound] = useState<{ readonly of: object; readonly words: string } | null>(null);
  useEffect(() => {
    const { open } = useLesson.getState();
    if (open === null || step?.question == null) return;
    let isWanted = true;
    void answerWords(open, step.question).then((words) => {
      if (isWanted) setFound({ of: step, words });
    });
    return () => {
      isWanted = false;
    };
  }, [step]);
  return found !== null && found.of === step ? found.words : null;
}
