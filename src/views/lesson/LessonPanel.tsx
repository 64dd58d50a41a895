import { ArrowLeft, ArrowRight, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { visible } from '#bytes/text.ts';
import type { LessonProblem } from '#lessons/lesson.ts';
import { editOpenLesson } from '#store/lesson/edit-lesson.ts';
import { backToStep, goToNext, goToPrevious, watchTool } from '#store/lesson/lesson-player.ts';
import { closeLesson, type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { isElsewhere, placeOfStep } from '#store/lesson/step-place.ts';
import { useSession } from '#store/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { LessonHead } from './LessonHead.tsx';
import styles from './LessonPanel.module.css';
import { StepBody } from './StepBody.tsx';

/** How the panel folds to its title, where it does. */
export type Fold = { readonly isFolded: boolean; readonly onFold: (isFolded: boolean) => void };

/** The open lesson: its title, the step with its text and question, and the ways on and back. */
export function LessonPanel({ fold = null }: { readonly fold?: Fold | null }) {
  const open = useLesson((state) => state.open);
  const problem = useLesson((state) => state.problem);
  const isEditing = useLesson((state) => state.isEditing);
  useEffect(() => watchTool(), []);
  if (open === null) return problem === null ? null : <NoLesson problem={problem} />;
  const step = open.lesson?.steps[open.stepIndex] ?? null;
  return (
    <section className="column shrink-y tall surface" aria-label="Lesson">
      <LessonHead open={open} fold={fold} />
      {open.problems.length === 0 || isEditing ? null : <Unfinished problems={open.problems} />}
      {fold?.isFolded ? null : (
        <>
          {step === null ? (
            <p className={styles.none}>This lesson has no step yet. A step begins with ## Title.</p>
          ) : (
            <StepBody key={step.id} open={open} step={step} />
          )}
          <LessonFoot open={open} />
        </>
      )}
    </section>
  );
}

/** The first problem of a lesson, and the button that opens its editor. */
function Unfinished({ problems }: { readonly problems: readonly LessonProblem[] }) {
  const [first] = problems;
  if (first === undefined) return null;
  return (
    <div className={styles.problems}>
      <Callout
        severity="warning"
        title={`${countOf(problems.length, 'problem')} in this lesson`}
        actions={
          <Button size="small" onClick={editOpenLesson}>
            Edit lesson
          </Button>
        }
      >
        Line {first.line}: {visible(first.message)}
      </Callout>
    </div>
  );
}

function NoLesson({ problem }: { readonly problem: string }) {
  return (
    <section className="column shrink-y tall surface" aria-label="Lesson">
      <div className={styles.none}>
        <Callout
          severity="warning"
          title="This lesson cannot be shown"
          actions={<Button onClick={closeLesson}>Close lesson</Button>}
          isAlert
        >
          {visible(problem)}.
        </Callout>
      </div>
    </section>
  );
}

/** The ways on and back, and the one to the step's place for whoever has wandered off. */
function LessonFoot({ open }: { readonly open: OpenLesson }) {
  const isGoing = useLesson((state) => state.isGoing);
  const place = placeOfStep(open, open.stepIndex);
  const isAway = useSession((state) => isElsewhere(state, place)) && !isGoing;
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
