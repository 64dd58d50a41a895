import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { visible } from '#bytes/text.ts';
import { answerWords } from '#store/lesson/check-step.ts';
import { stepNow, useLesson } from '#store/lesson/lesson-state.ts';
import { usePresenter } from '#store/lesson/presenter.ts';
import { useAsync } from '#store/session/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { onKeyDown } from '#ui/keys.tsx';
import { PlainMarkdown } from '#views/parts/Markdown.tsx';
import styles from './Notes.module.css';
import { focusOf, type PresenterAction, presenterAction } from './presenter-keys.ts';

/** Shows the presenter's notes: current step, answer, next step, time. */
function Notes({ act }: { readonly act: (action: PresenterAction) => boolean }) {
  const open = useLesson((state) => state.open);
  const { startedAt } = usePresenter();
  const steps = open?.lesson?.steps ?? [];
  const index = open?.stepIndex ?? 0;
  const step = steps[index] ?? null;
  const next = steps[index + 1] ?? null;
  const clock = useClock(startedAt, step?.id ?? '');
  return (
    <main className={styles.notes}>
      <header className={styles.head}>
        <p className={styles.clock}>
          <span className={styles.label}>Time</span> {clock.time}
        </p>
        <p className={styles.clock}>
          <span className={styles.label}>Elapsed</span> {clock.sinceStart}
        </p>
        <p className={styles.clock}>
          <span className={styles.label}>This step</span> {clock.inStep}
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
            <h2 className={styles.label}>Text</h2>
            <PlainMarkdown nodes={step.text} />
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

/** Shows the right answer of the current step. */
function RightAnswer() {
  const step = useLesson(stepNow);
  const answer = useAsync<string>(step, (put) => {
    const { open } = useLesson.getState();
    if (open !== null && step?.question != null) void answerWords(open, step.question).then(put);
  });
  return (
    <>
      <h2 className={styles.label}>Answer</h2>
      <p className="bold">{answer ?? 'Computing…'}</p>
    </>
  );
}

/** Returns how long the presentation and the step have lasted, as texts. Updates each second. */
function useClock(startedAt: number, stepId: string) {
  const now = useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000)) * 1000;
  const [shown, setShown] = useState({ stepId, since: now });
  if (shown.stepId !== stepId) setShown({ stepId, since: now });
  return {
    time: new Date(now).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' }),
    sinceStart: elapsedText(now - startedAt),
    inStep: elapsedText(now - shown.since),
  };
}

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
}

/** Returns a duration as `7:05` or `1:02:33`. A negative duration is `0:00`. */
export function elapsedText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (n: number) => `${n}`.padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

type NotesWindowProps = {
  readonly window: Window;
  readonly act: (action: PresenterAction) => boolean;
  /** Called when the user has closed the notes window. */
  readonly onClosed: () => void;
};

/** Draws the notes in their window and handles the keys there. Unmounting closes the window. */
export function NotesWindow({ window: notes, act, onClosed }: NotesWindowProps) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = presenterAction(event, focusOf(event.target));
    // Escape closes the notes window if the window has the focus.
    if (action === 'end') notes.close();
    else if (action === null || !act(action)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const close = () => notes.close();
    const stopKeys = onKeyDown(notes, press);
    notes.addEventListener('pagehide', onClosed);
    window.addEventListener('pagehide', close);
    return () => {
      stopKeys();
      notes.removeEventListener('pagehide', onClosed);
      window.removeEventListener('pagehide', close);
      notes.close();
    };
  }, [notes, onClosed]);
  return createPortal(<Notes act={act} />, notes.document.body);
}

const FEATURES = 'popup,width=720,height=820';

/** Opens a window for the notes with the page's styles; null if the browser blocks it. */
export function openNotes(): Window | null {
  const opened = window.open('', 'btfscope-notes', FEATURES);
  if (opened === null) return null;
  opened.document.title = 'Notes · btfscope';
  opened.document.documentElement.lang = 'en';
  opened.document.body.replaceChildren();
  dress(opened.document);
  return opened;
}

/** Copies the styles as constructed sheets: the page's CSP allows them also for a file on disk. */
function dress(target: Document): void {
  const Sheet = target.defaultView?.CSSStyleSheet;
  if (Sheet === undefined) return;
  const sheets: CSSStyleSheet[] = [];
  for (const sheet of document.styleSheets) {
    const copy = new Sheet({ media: sheet.media.mediaText });
    copy.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join('\n'));
    sheets.push(copy);
  }
  target.adoptedStyleSheets = sheets;
  const { theme } = document.documentElement.dataset;
  if (theme !== undefined) target.documentElement.dataset.theme = theme;
}
