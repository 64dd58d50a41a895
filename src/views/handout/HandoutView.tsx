import { useEffect, useRef, useState } from 'react';
import { visible, visibleLines } from '#bytes/text.ts';
import type { Lesson, Question, Step } from '#lessons/lesson.ts';
import { withoutMarks } from '#lessons/lesson-text.ts';
import type { Address } from '#store/address/address.ts';
import { answerWords } from '#store/lesson/check-step.ts';
import { type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { showPart } from '#store/lesson/presenter.ts';
import { closeOthers, openIds, openStepFiles, type StepFile } from '#store/lesson/step-files.ts';
import { placeOfStep } from '#store/lesson/step-place.ts';
import { decodeKey } from '#store/page/percent.ts';
import { useAsync } from '#store/session/hooks.ts';
import { fileById, modelOf, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { PlainMarkdown } from '#views/parts/Markdown.tsx';
import styles from './HandoutView.module.css';
import { StepPicture } from './StepPicture.tsx';

/** Shows the lesson as printed pages: steps with pictures and lines to answer, then the answers. */
export function HandoutView() {
  const open = useLesson((state) => state.open);
  const lesson = open?.lesson ?? null;
  const files = useStepFiles(lesson, open?.linked ?? '');
  const isReady = files !== null;
  if (open === null || lesson === null) return null;
  return (
    <div className={styles.page} lang={lesson.lang}>
      <header className={styles.bar}>
        <p role="status" className={styles.status}>
          {isReady ? 'The handout is ready' : 'Opening the files of this lesson…'}
        </p>
        <Button onClick={() => showPart(null)}>Close handout</Button>
        <Button variant="primary" disabled={!isReady} onClick={() => window.print()}>
          Print handout
        </Button>
      </header>
      <main className={styles.paper}>
        <header className={styles.title}>
          <h1>{visible(lesson.title) || 'Lesson'}</h1>
          <p>{visible(lesson.about)}</p>
          <p className="small soft">A lesson of btfscope, {lesson.steps.length} steps</p>
        </header>
        {lesson.steps.map((step, index) => (
          <HandoutStep
            key={step.id}
            open={open}
            step={step}
            index={index}
            file={files?.[index] ?? null}
          />
        ))}
        <Answers open={open} isReady={isReady} />
      </main>
    </div>
  );
}

/** Opens the files of all steps and returns them; null until all are open. */
function useStepFiles(lesson: Lesson | null, linked: string): readonly StepFile[] | null {
  const [stepFiles, setStepFiles] = useState<readonly StepFile[] | null>(null);
  const closed = useRef(Promise.resolve());
  useEffect(() => {
    if (lesson === null) return;
    let isWanted = true;
    const opening = closed.current.then(async () => {
      const before = openIds();
      const files = await openStepFiles({ lesson, linked });
      if (isWanted) setStepFiles(files);
      return before;
    });
    return () => {
      isWanted = false;
      closed.current = opening.then(closeOthers);
    };
  }, [lesson, linked]);
  useEffect(() => {
    const leave = () => showPart(null);
    window.addEventListener('popstate', leave);
    return () => window.removeEventListener('popstate', leave);
  }, []);
  return stepFiles;
}

type HandoutStepProps = {
  readonly open: OpenLesson;
  readonly step: Step;
  /** Index of the step, from 0. */
  readonly index: number;
  /** File of the step; null while it is opening. */
  readonly file: StepFile | null;
};

/** Shows one step on paper: text, picture, callouts, question, space for the answer. */
function HandoutStep({ open, step, index, file }: HandoutStepProps) {
  return (
    <article className={styles.step}>
      <h2 className={styles.stepTitle}>
        <span className={styles.number}>{index + 1}</span> {visible(step.title)}
      </h2>
      <PlainMarkdown nodes={step.text} words={onPaper} />
      <Picture
        file={file}
        number={index + 1}
        address={placeOfStep(open, index).address}
        isAsked={step.question !== null}
      />
      {step.callouts.length === 0 ? null : (
        <ul className={styles.pins}>
          {step.callouts.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <code>{placeName(at)}</code> {plain(text)}
            </li>
          ))}
        </ul>
      )}
      {step.question === null ? null : <QuestionLine question={step.question} />}
    </article>
  );
}

type PictureProps = Pick<HandoutStepProps, 'file'> & {
  readonly number: number;
  readonly address: Address;
  readonly isAsked: boolean;
};

function Picture({ file, number, address, isAsked }: PictureProps) {
  const model = useSession((state) => modelOf(fileById(state, file?.id ?? null)));
  if (file === null) return <p className="soft">Opening the file…</p>;
  if (file.id === null || model === null) {
    return <p className="soft">No picture: {visible(file.problem || 'the file is closed')}.</p>;
  }
  return (
    <StepPicture id={file.id} model={model} number={number} address={address} isAsked={isAsked} />
  );
}

function QuestionLine({ question }: { readonly question: Question }) {
  return (
    <div className={styles.question}>
      <PlainMarkdown nodes={question.prompt} words={onPaper} />
      {question.kind === 'choice' ? (
        <ul className="grid gap-1">
          {question.options.map(({ text }) => (
            <li key={text} className={styles.option}>
              {plain(text)}
            </li>
          ))}
        </ul>
      ) : question.kind === 'write' ? (
        <pre className={styles.code}>{visibleLines(question.start.trimEnd())}</pre>
      ) : (
        <p className={styles.line}>
          <span className="visually-hidden">Space for the answer</span>
        </p>
      )}
    </div>
  );
}

/** Returns a place on paper: `insn=tp_btf%2Fexec@0x20` is `insn tp_btf/exec@0x20`. */
export function placeName(at: string): string {
  return visible(decodeKey(at).replace('=', ' '));
}

/** Returns the text with "click" replaced by "mark", which readers do on paper. */
export function onPaper(text: string): string {
  return text.replaceAll(/\b([Cc])lick(?:s|ed|ing)?\b( on\b)?/g, (all, c: string) => {
    const word = c === 'C' ? 'Mark' : 'mark';
    return word + all.replace(/^click/i, '').replace(/ on$/, '');
  });
}

function plain(text: string): string {
  return visible(withoutMarks(onPaper(text).replaceAll(/[\n\r\t]+/g, ' ')));
}

type AnswersProps = {
  readonly open: OpenLesson;
  /** True when the files of all steps are open. */
  readonly isReady: boolean;
};

/** Shows the answers of all questions on a separate page. */
function Answers({ open, isReady }: AnswersProps) {
  const answers = useAnswers(open, isReady);
  const asked = (open.lesson?.steps ?? []).flatMap((step, index) =>
    step.question === null ? [] : [{ step, index }],
  );
  if (asked.length === 0) return null;
  return (
    <section className={styles.answers} aria-labelledby="answers">
      <h2 id="answers" className={styles.answersTitle}>
        Answers
      </h2>
      <ol className={styles.list}>
        {asked.map(({ step, index }) => (
          <li key={step.id} value={index + 1}>
            <strong>{visible(step.title)}</strong>: {answers?.get(step.id) ?? '…'}
          </li>
        ))}
      </ol>
    </section>
  );
}

type StepAnswers = ReadonlyMap<string, string>;

/** Returns the answers computed so far, by step id. */
function useAnswers(open: OpenLesson, isReady: boolean): StepAnswers | null {
  return useAsync(isReady ? open : null, async (put, signal) => {
    let answers: StepAnswers = new Map();
    if (!isReady) return;
    for (const [stepIndex, { id, question }] of (open.lesson?.steps ?? []).entries()) {
      if (question === null || signal.aborted) continue;
      answers = new Map(answers).set(id, await answerWords({ ...open, stepIndex }, question));
      put(answers);
    }
  });
}
