import { ArrowLeft, ArrowRight, Undo2 } from 'lucide-react';
import { backToStep, goToNext, goToPrevious } from '#store/lesson/lesson-player.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import styles from './LessonFoot.module.css';
import { useIsAway } from './use-is-away.ts';

/** The ways on and back, and the one to the step's place for whoever has wandered off. */
export function LessonFoot({ open }: { readonly open: OpenLesson }) {
  const isAway = useIsAway(open);
  const count = open.lesson?.steps.length ?? 0;
  const step = open.lesson?.steps[open.stepIndex] ?? null;
  const isDone = step !== null && (step.question === null || open.answer?.isRight === true);
  return (
    <footer className={styles.foot}>
      <IconButton
        label="Previous step"
        keys={['[']}
        icon={ArrowLeft}
        disabled={open.stepIndex === 0}
        onClick={() => void goToPrevious()}
      />
      <div className={styles.middle}>
        {isAway ? (
          <Button size="small" onClick={() => void backToStep()} icon={Undo2}>
            Back to the step
          </Button>
        ) : null}
      </div>
      <Button
        variant={isDone ? 'primary' : 'plain'}
        aria-label="Next step"
        disabled={open.stepIndex >= count - 1}
        onClick={() => void goToNext()}
      >
        Next
        <ArrowRight size={15} aria-hidden />
      </Button>
    </footer>
  );
}
