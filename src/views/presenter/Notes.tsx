import { visible } from '#bytes/text.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import { usePresenter } from '#store/lesson/presenter.ts';
import { Button } from '#ui/Button.tsx';
import { PlainMarkdown } from '#views/parts/Markdown.tsx';
import styles from './Notes.module.css';
import type { PresenterAction } from './presenter-keys.ts';
import { useClock } from './use-clock.ts';
import { useRightAnswer } from './use-right-answer.ts';

/** What whoever presents sees and the others do not: notes, what comes next, answers, the time. */
export function Notes({ act }: { readonly act: (action: PresenterAction) => boolean }) {
  const open = useLesson((state) => state.open);
  const { startedAt } = usePresenter();
  const clock = useClock(startedAt);
  const steps = open?.lesson?.steps ?? [];
  const index = open?.stepIndex ?? 0;
  const step = steps[index] ?? null;
  const next = steps[index + 1] ?? null;
  return (
    <main className={styles.notes}>
      <header className={styles.head}>
        <p className={styles.clock}>
          <span className={styles.label}>Time</span> {clock.time}
        </p>
        <p className={styles.clock}>
          <span className={styles.label}>Since the start</span> {clock.sinceStart}
        </p>
        <div className={styles.buttons}>
          <Button disabled={index === 0} onClick={() => act('previous')}>
            Previous step
          </Button>
          <Button variant="primary" disabled={next === null} onClick={() => act('next')}>
            Next step
          </Button>
        </div>
      </header>
      {open === null || step === null ? (
        <p>No lesson is open. Its notes would be here.</p>
      ) : (
        <>
          <section className={styles.now} aria-label="This step">
            <p className={styles.label}>
              Step {index + 1} of {steps.length} · {visible(open.lesson?.title ?? '')}
            </p>
            <h1 className={styles.title}>{visible(step.title)}</h1>
            {step.notes === null ? (
              <p className="soft">There are no notes for this step.</p>
            ) : (
              <PlainMarkdown nodes={step.notes} />
            )}
          </section>
          {step.question === null ? null : (
            <section className={styles.question} aria-label="Question and answer">
              <h2 className={styles.label}>Question</h2>
              <PlainMarkdown nodes={step.question.prompt} />
              <RightAnswer />
            </section>
          )}
          <section className={styles.next} aria-label="Next">
            <h2 className={styles.label}>Next</h2>
            {next === null ? (
              <p>This is the last step.</p>
            ) : (
              <>
                <p className="bold">{visible(next.title)}</p>
                {next.notes === null ? null : <PlainMarkdown nodes={next.notes} />}
              </>
            )}
          </section>
        </>
      )}
    </main>
  );
}

function RightAnswer() {
  const answer = useRightAnswer();
  return (
    <>
      <h2 className={styles.label}>Answer</h2>
      <p className="bold">{answer ?? 'Working it out…'}</p>
    </>
  );
}
