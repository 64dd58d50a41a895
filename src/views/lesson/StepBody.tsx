import { visible } from '#bytes/text.ts';
import type { Step } from '#lessons/lesson.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { Callout } from '#ui/Callout.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { CalloutList } from './CalloutList.tsx';
import { Prose } from './Prose.tsx';
import { QuestionBox } from './QuestionBox.tsx';
import styles from './StepBody.module.css';
import { WhatNext } from './WhatNext.tsx';

type StepBodyProps = { readonly open: OpenLesson; readonly step: Step };

/** One step: its text, what is pinned to the tool, and its question. */
export function StepBody({ open, step }: StepBodyProps) {
  const count = open.lesson?.steps.length ?? 0;
  const { placeProblem, stepIndex } = open;
  return (
    <div className={styles.body} {...scrollRegion('Text of the step')}>
      <div className={styles.flow}>
        <p className="small muted">
          Step {stepIndex + 1} of {count}
        </p>
        <h3 className={styles.title}>{visible(step.title)}</h3>
        {placeProblem === null ? null : (
          <Callout severity="warning" title="The place of this step cannot be shown">
            {visible(placeProblem)}.
          </Callout>
        )}
        <Prose nodes={step.text} />
        {step.callouts.length === 0 ? null : <CalloutList callouts={step.callouts} />}
        {step.question === null ? null : (
          <QuestionBox open={open} question={step.question} stepId={step.id} />
        )}
        {stepIndex === count - 1 ? <WhatNext lessonKey={open.key} /> : null}
      </div>
    </div>
  );
}
