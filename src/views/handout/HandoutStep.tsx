import { visible } from '#bytes/text.ts';
import type { Question, Step } from '#lessons/lesson.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import type { StepFile } from '#store/lesson/presenter-files.ts';
import { placeOfStep } from '#store/lesson/step-place.ts';
import { fileById, useSession } from '#store/session.ts';
import { PlainMarkdown } from '#views/parts/Markdown.tsx';
import styles from './HandoutStep.module.css';
import { StepPicture } from './StepPicture.tsx';

type HandoutStepProps = {
  readonly open: OpenLesson;
  readonly step: Step;
  /** From 0. */
  readonly index: number;
  /** Null while it is being opened. */
  readonly file: StepFile | null;
};

/** One step on paper: its text, its picture, what is pinned to it, its question with room for the answer. */
export function HandoutStep({ open, step, index, file }: HandoutStepProps) {
  return (
    <article className={styles.step}>
      <h2 className={styles.title}>
        <span className={styles.number}>{index + 1}</span> {visible(step.title)}
      </h2>
      <PlainMarkdown nodes={step.text} />
      <Picture file={file} number={index + 1} hash={placeOfStep(open, index).hash} />
      {step.callouts.length === 0 ? null : (
        <ul className={styles.pins}>
          {step.callouts.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <code>{visible(at.replace('=', ' '))}</code> {plain(text)}
            </li>
          ))}
        </ul>
      )}
      {step.question === null ? null : <QuestionLine question={step.question} />}
    </article>
  );
}

type PictureProps = {
  readonly file: StepFile | null;
  readonly number: number;
  readonly hash: string;
};

function Picture({ file, number, hash }: PictureProps) {
  const model = useSession((state) => {
    const open = fileById(state, file?.id ?? null);
    return open?.status.step === 'ready' ? open.status.model : null;
  });
  if (file === null) return <p className="soft">Opening the file…</p>;
  if (file.id === null || model === null) {
    return <p className="soft">No picture: {visible(file.problem || 'the file is closed')}.</p>;
  }
  return <StepPicture id={file.id} model={model} number={number} hash={hash} />;
}

function QuestionLine({ question }: { readonly question: Question }) {
  return (
    <div className={styles.question}>
      <PlainMarkdown nodes={question.prompt} />
      {question.kind === 'choice' ? (
        <ul className="grid gap-1">
          {question.options.map(({ text }) => (
            <li key={text} className={styles.option}>
              {plain(text)}
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.line}>
          <span className="visually-hidden">Room for the answer</span>
        </p>
      )}
    </div>
  );
}

/** Back ticks have no meaning on paper. */
function plain(text: string): string {
  return visible(text.replaceAll(/[\n\r\t]+/g, ' ').replaceAll('`', ''));
}
