import { ArrowRight } from 'lucide-react';
import { visible } from '#bytes/text.ts';
import { CATALOGUE } from '#lessons/catalogue.ts';
import type { Step } from '#lessons/lesson.ts';
import { openLesson, selectPlace } from '#store/lesson/lesson-player.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { peekPin } from '#store/lesson/pins.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { markdownText } from '#views/parts/markdown-text.ts';
import { InlineText, Prose } from './Prose.tsx';
import { QuestionBox } from './QuestionBox.tsx';
import styles from './StepBody.module.css';

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

/** What is pinned to places of the tool, each with the number of its pin. */
function CalloutList({ callouts }: { readonly callouts: Step['callouts'] }) {
  return (
    <ol className={styles.list} aria-label="Pins">
      {callouts.map(({ at, text }, index) => (
        <li key={`${at} ${text}`}>
          <button
            type="button"
            className={styles.callout}
            onClick={() => void selectPlace(at)}
            onPointerEnter={() => peekPin(index + 1)}
            onPointerLeave={() => peekPin(null)}
            onFocus={() => peekPin(index + 1)}
            onBlur={() => peekPin(null)}
          >
            <span className={styles.number}>{index + 1}</span>
            <span className={styles.text}>
              <InlineText text={markdownText(text)} isPlain />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** At the end of a lesson: which one comes next. Nothing for a lesson that is none of ours, nor behind the last. */
function WhatNext({ lessonKey }: { readonly lessonKey: string }) {
  const isFinished = useProgress(
    ({ lessons }) => progressOf(lessons, lessonKey)?.isFinished ?? false,
  );
  const at = CATALOGUE.findIndex(({ id }) => id === lessonKey);
  const next = at < 0 ? undefined : CATALOGUE[at + 1];
  if (next === undefined)
    return isFinished ? <p className="muted">This was the last lesson.</p> : null;
  return (
    <div className={styles.next}>
      <p className={styles.about}>
        <span className="muted">{isFinished ? 'Done. Next:' : 'Next lesson:'}</span> {next.title}
      </p>
      <Button
        size="small"
        variant={isFinished ? 'primary' : 'plain'}
        onClick={() => void openLesson(next.id, null)}
      >
        Lesson {next.number}
        <ArrowRight size={14} aria-hidden />
      </Button>
    </div>
  );
}
