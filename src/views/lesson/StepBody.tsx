import { ArrowRight, CircleCheck, CircleX, MousePointerClick } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { nextLesson, TRACKS } from '#lessons/catalogue.ts';
import type { Answer } from '#lessons/check-answer.ts';
import { MAX_WRITTEN, type Option, type Question, type Step } from '#lessons/lesson.ts';
import type { GivenAnswer } from '#lessons/right-answer.ts';
import { rightOf } from '#store/lesson/check-step.ts';
import {
  answerBefore,
  answerStep,
  MISSES_BEFORE_SHOWN,
  openLesson,
  selectPlace,
  showAnswer,
} from '#store/lesson/lesson-player.ts';
import { type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { lightCallout } from '#store/lesson/step-place.ts';
import { useAsync } from '#store/session/hooks.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { markdownText } from '#views/parts/Markdown.tsx';
import { DeclarationEditor } from '#views/workbench/DeclarationEditor.tsx';
import { HiddenAnswer, InlineText, Prose } from './Prose.tsx';
import styles from './StepBody.module.css';

type StepBodyProps = {
  readonly open: OpenLesson;
  readonly step: Step;
  /** True for a panel so low that the question is seldom in sight: its first lines are pinned. */
  readonly isLow: boolean;
};

/** Shows a step: text, callouts, question. */
export function StepBody({ open, step, isLow }: StepBodyProps) {
  const count = open.lesson?.steps.length ?? 0;
  const { placeProblem, stepIndex } = open;
  const hidden = useHiddenAnswer(open, step);
  return (
    <div
      data-step-text=""
      lang={open.lesson?.lang}
      className={styles.body}
      {...scrollRegion('Text of the step')}
    >
      <div className={styles.flow} data-asks={step.question === null ? undefined : ''}>
        <div className={styles.words}>
          <p className="small muted" lang="en">
            Step {stepIndex + 1} of {count}
          </p>
          <h3 className={styles.title}>{visible(step.title)}</h3>
          {placeProblem === null ? null : (
            <Callout severity="warning" title="This step's place cannot be shown">
              {visible(placeProblem)}.
            </Callout>
          )}
          <HiddenAnswer value={hidden}>
            <Prose nodes={step.text} />
            {step.callouts.length === 0 ? null : <CalloutList callouts={step.callouts} />}
          </HiddenAnswer>
        </div>
        {step.question === null || !isLow || open.answer !== null ? null : (
          <PinnedPrompt prompt={step.question.prompt} />
        )}
        {step.question === null ? null : (
          <QuestionBox open={open} question={step.question} stepId={step.id} />
        )}
        {stepIndex === count - 1 ? <WhatNext lessonKey={open.key} /> : null}
      </div>
    </div>
  );
}

/** Height of the pinned lines with their padding, in CSS pixels, as in the style sheet. */
const PINNED = 64;

/** Pins the first lines of the question to the lower edge while the question is below it. */
function PinnedPrompt({ prompt }: Pick<Question, 'prompt'>) {
  const place = useRef<HTMLDivElement>(null);
  const [isBelow, setBelow] = useState(false);
  useEffect(() => {
    const question = place.current?.nextElementSibling ?? null;
    if (question === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => setBelow(entry?.isIntersecting === false),
      { root: question.closest('[data-step-text]'), rootMargin: `0px 0px -${PINNED}px 0px` },
    );
    observer.observe(question);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className={styles.pinned} data-pinned={isBelow ? '' : undefined} aria-hidden>
      <Prose nodes={prompt} isPlain />
    </div>
  );
}

/** Returns the answer that texts of the step must hide; null once the question is answered. */
function useHiddenAnswer(open: OpenLesson, { id, question }: Step): GivenAnswer | null {
  const wasAnswered = useProgress(
    ({ lessons }) => progressOf(lessons, open.key)?.done.includes(id) ?? false,
  );
  const isPresenting = useLesson((state) => state.isPresenting);
  const { object } = open.lesson ?? {};
  const right = useAsync<GivenAnswer | null>(`${open.key} ${object} ${id}`, (put) =>
    question === null ? undefined : rightOf(open, question).then(put, () => undefined),
  );
  const isAnswered = open.answer?.isRight === true || (wasAnswered && !isPresenting);
  return isAnswered ? null : right;
}

/** Shows the callouts with the numbers of their pins. */
function CalloutList({ callouts }: { readonly callouts: Step['callouts'] }) {
  return (
    <ol className={styles.list} aria-label="Pins">
      {callouts.map(({ at, text }, index) => (
        <li key={`${at} ${text}`}>
          <button
            type="button"
            className={styles.callout}
            onClick={() => void selectPlace(at)}
            onPointerEnter={() => lightCallout(index + 1)}
            onPointerLeave={() => lightCallout(null)}
            onFocus={() => lightCallout(index + 1)}
            onBlur={() => lightCallout(null)}
          >
            <span className={styles.number}>{index + 1}</span>
            <span>
              <InlineText text={markdownText(text)} isPlain />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Shows a link to the next lesson of the track, at the end of a lesson. */
function WhatNext({ lessonKey }: { readonly lessonKey: string }) {
  const progress = useProgress(({ lessons }) => progressOf(lessons, lessonKey));
  const track = progress?.track ?? null;
  const isFinished = progress?.isFinished ?? false;
  const next = nextLesson(lessonKey, track);
  const place = track === null ? '' : ` in ${TRACKS[track].title}`;
  if (next === null) return isFinished ? <p className="muted">Last lesson{place}.</p> : null;
  return (
    <div className={styles.next}>
      <p className={styles.about}>
        <span className="muted">
          {isFinished ? 'Done. Next' : 'Next'}
          {place}:
        </span>{' '}
        {next.title}
      </p>
      <Button
        size="small"
        variant={isFinished ? 'primary' : 'plain'}
        onClick={() => void openLesson(next.id, null, { track })}
      >
        Next lesson
        <ArrowRight size={14} aria-hidden />
      </Button>
    </div>
  );
}

type QuestionBoxProps = {
  readonly open: OpenLesson;
  readonly question: Question;
  readonly stepId: string;
};

/** Shows a question, its answer field, and the feedback. */
function QuestionBox({ open, question, stepId }: QuestionBoxProps) {
  const wasAnswered = useProgress(
    ({ lessons }) => progressOf(lessons, open.key)?.done.includes(stepId) ?? false,
  );
  const { answer } = open;
  // The stored answer at the first render. Later the field itself keeps what is typed.
  const [before] = useState(() => answerBefore(stepId));
  return (
    <fieldset className={styles.question} aria-label="Question">
      <Prose nodes={question.prompt} />
      {question.kind === 'click' ? (
        <p className={styles.hint} lang="en">
          <MousePointerClick size={14} aria-hidden />
          Answer by selecting it in the tool.
        </p>
      ) : question.kind === 'choice' ? (
        <ChoiceAnswer options={question.options} answer={answer} before={before} />
      ) : question.kind === 'write' ? (
        <WrittenAnswer question={question} isRight={answer?.isRight ?? false} before={before} />
      ) : (
        <TypedAnswer kind={question.kind} isRight={answer?.isRight ?? false} before={before} />
      )}
      <Verdict answer={answer} />
      {answer === null && wasAnswered ? (
        <p className={styles.before}>You have answered this before.</p>
      ) : null}
      {question.kind === 'click' ? <ShowMe onShown={() => undefined} /> : null}
    </fieldset>
  );
}

type AnswerProps = {
  /** The stored answer, as `answerBefore` returns it; null if there is none. */
  readonly before: string | null;
};

type ChoiceAnswerProps = AnswerProps & {
  readonly options: readonly Option[];
  /** Feedback for the option most recently chosen; null before a choice. */
  readonly answer: Answer | null;
};

/** Shows the options of a question. Choosing an option answers the question. */
function ChoiceAnswer({ options, answer, before }: ChoiceAnswerProps) {
  const name = useId();
  const [chosen, setChosen] = useState(before === null ? null : Number(before));
  const choose = (option: number) => {
    setChosen(option);
    void answerStep({ kind: 'chosen', option });
  };
  const state = answer === null ? undefined : answer.isRight ? 'right' : 'wrong';
  return (
    <div className="grid gap-hair">
      {options.map((option, index) => (
        <label
          key={option.text}
          className={styles.option}
          data-state={index === chosen ? state : undefined}
        >
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={index === chosen}
            onChange={() => choose(index)}
          />
          <span>
            <InlineText text={markdownText(option.text)} isPlain />
          </span>
        </label>
      ))}
      <ShowMe
        onShown={(right) => {
          if (right?.kind === 'chosen') choose(right.option);
        }}
      />
    </div>
  );
}

type TypedAnswerProps = AnswerProps & {
  readonly kind: Exclude<Question['kind'], 'click' | 'choice' | 'write'>;
  readonly isRight: boolean;
};

const EXAMPLES = {
  access: '0:1:2',
  value: '24 or poison',
  number: '24 or 0x18',
  count: '24',
} as const;

/** Shows a field for an access string or a number. Enter checks the answer. */
function TypedAnswer({ kind, isRight, before }: TypedAnswerProps) {
  const id = useId();
  const [text, setText] = useState(before ?? '');
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void answerStep({ kind: 'typed', text });
  };
  return (
    <form className="grid gap-2" lang="en" onSubmit={check}>
      <label htmlFor={id} className="small soft">
        Your answer
      </label>
      <div className={styles.line}>
        <input
          id={id}
          type="text"
          className={styles.input}
          value={text}
          placeholder={EXAMPLES[kind]}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={400}
          onChange={(event) => setText(event.target.value)}
        />
        <Button onClick={check} variant={isRight ? 'plain' : 'primary'}>
          Check
        </Button>
      </div>
      <ShowMe
        onShown={(right) => {
          if (right?.kind === 'typed') setText(right.text);
        }}
      />
    </form>
  );
}

/** Height of an editor line and of the padding around all lines, in CSS pixels. */
const LINE = 20;
const AROUND = 40;
const MAX_LINES_SHOWN = 18;

type WrittenAnswerProps = AnswerProps & {
  readonly question: Extract<Question, { readonly kind: 'write' }>;
  readonly isRight: boolean;
};

/** Shows an editor for C. The button *Check* compiles the C. */
function WrittenAnswer({ question, isRight, before }: WrittenAnswerProps) {
  const { start, hint } = question;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(before ?? start);
  const lines = Math.min(MAX_LINES_SHOWN, text.split('\n').length);
  const check = () => void answerStep({ kind: 'typed', text });
  return (
    <div className="grid gap-2">
      <div className={styles.editor} style={{ height: lines * LINE + AROUND }}>
        <DeclarationEditor
          field={field}
          label="Your answer"
          problemsId={null}
          text={text}
          problems={NO_PROBLEMS}
          declared={null}
          onText={(typed) => setText(typed.slice(0, MAX_WRITTEN))}
          onCaret={() => undefined}
        />
      </div>
      <div className="wrapping gap-2">
        <Button onClick={check} variant={isRight ? 'plain' : 'primary'}>
          Check
        </Button>
        <Button onClick={() => setText(start)} disabled={text === start}>
          Start again
        </Button>
        <ShowMe
          onShown={(right) => {
            if (right?.kind === 'typed') setText(right.text);
          }}
        />
      </div>
      {hint.length === 0 ? null : (
        <Disclosure title="Hint">
          <Prose nodes={hint} />
        </Disclosure>
      )}
    </div>
  );
}

const NO_PROBLEMS: readonly [] = [];

type ShowMeProps = {
  /** Called with the right answer; null if the answer is unknown. */
  readonly onShown: (right: GivenAnswer | null) => void;
};

/** Shows the button *Show me* after a few wrong answers. */
function ShowMe({ onShown }: ShowMeProps) {
  const open = useLesson((state) => state.open);
  if (open === null || open.answer?.isRight || open.misses < MISSES_BEFORE_SHOWN) return null;
  return (
    <div>
      <Button size="small" onClick={() => void showAnswer().then(onShown)}>
        Show me
      </Button>
    </div>
  );
}

/** Shows the feedback for an answer. Screen readers announce it. */
function Verdict({ answer }: { readonly answer: Answer | null }) {
  const Icon = answer?.isRight ? CircleCheck : CircleX;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer !== null) place.current?.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  return (
    <div ref={place} aria-live="polite" className={styles.place}>
      {answer === null ? null : (
        <p
          className={styles.answer}
          data-answer={answer.isRight ? 'right' : 'wrong'}
          data-tone={answer.isRight ? 'ok' : 'warning'}
        >
          <Icon size={16} aria-hidden />
          <span>
            <strong>{answer.isRight ? 'Right.' : 'Not yet.'}</strong>{' '}
            <InlineText text={markdownText(answer.why)} />
          </span>
        </p>
      )}
    </div>
  );
}
