import {
  ArrowLeft,
  ArrowRight,
  Check,
  ChevronDown,
  ChevronUp,
  Circle,
  CircleDot,
  ListChecks,
  PencilLine,
  Presentation,
  Printer,
  Undo2,
  X,
} from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { visible } from '#bytes/text.ts';
import { languagesOf } from '#lessons/catalogue.ts';
import type { LessonProblem, Step } from '#lessons/lesson.ts';
import { editOpenLesson } from '#store/lesson/edit-lesson.ts';
import { isDraft } from '#store/lesson/kept-lessons.ts';
import {
  answerWithSelected,
  backToStep,
  goToNext,
  goToPrevious,
  goToStep,
  openLesson,
  watchTool,
} from '#store/lesson/lesson-player.ts';
import { closeLesson, type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { showPart, startPresenting } from '#store/lesson/presenter.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { isElsewhere, placeOfStep, stepAccess } from '#store/lesson/step-place.ts';
import { useSession } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { useMediaQuery } from '#ui/element-size.tsx';
import { onKeyDown, PANE_BODY } from '#ui/keys.tsx';
import { Menu } from '#ui/Menu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LessonDock.module.css';
import { StepBody } from './StepBody.tsx';

/** Matches windows in which the lesson is below the tool, not beside it. */
const NARROW = '(max-width: 1023px)';

const WIDTH = 400;
/** Before an audience, whose lesson has larger type. */
const PRESENTED = '42%';
const MIN_WIDTH = 300;
const MIN_TOOL = 320;

/** Shows the lesson beside or below the tool. `onShare` gets the tool's width in per cent. */
export function LessonDock({ onShare }: { readonly onShare: (share: number | null) => void }) {
  const isPresenting = useLesson((state) => state.isPresenting);
  const isNarrow = useMediaQuery(NARROW);
  useEffect(() => () => onShare(null), [onShare]);
  useEffect(() => {
    if (isNarrow) onShare(null);
  }, [isNarrow, onShare]);
  const width = isPresenting ? PRESENTED : WIDTH;
  return isNarrow ? <Sheet /> : <Beside key={width} width={width} onShare={onShare} />;
}

function Sheet() {
  const [isFolded, setFolded] = useState(false);
  return (
    <div className={styles.sheet} data-folded={isFolded ? '' : undefined}>
      <LessonPanel fold={{ isFolded, onFold: setFolded }} />
    </div>
  );
}

type BesideProps = {
  /** Width of the lesson in CSS pixels or per cent. */
  readonly width: number | string;
  readonly onShare: (share: number) => void;
};

/** Shows the lesson beside an empty panel through which the pointer reaches the tool. */
function Beside({ width, onShare }: BesideProps) {
  return (
    <Group
      className={styles.group}
      orientation="horizontal"
      disableCursor
      onLayoutChange={({ tool }) => {
        if (tool !== undefined) onShare(tool);
      }}
    >
      <Panel id="tool" className={styles.hole} minSize={MIN_TOOL} />
      <Separator className={styles.handle} aria-label="Resize the lesson" />
      <Panel
        id="lesson"
        className={styles.panel}
        defaultSize={width}
        minSize={MIN_WIDTH}
        maxSize="60%"
      >
        <LessonPanel />
      </Panel>
    </Group>
  );
}

/** State of a panel that can be folded until only its title is visible. */
type Fold = { readonly isFolded: boolean; readonly onFold: (isFolded: boolean) => void };

/** Shows the open lesson: title, step, question, buttons to other steps. */
export function LessonPanel({ fold = null }: { readonly fold?: Fold | null }) {
  const open = useLesson((state) => state.open);
  const problem = useLesson((state) => state.problem);
  const isEditing = useLesson((state) => state.isEditing);
  useEffect(() => watchTool(), []);
  useEffect(() => watchClicks(), []);
  const panel = useArrowKeys();
  if (open === null) return problem === null ? null : <NoLesson problem={problem} />;
  const step = open.lesson?.steps[open.stepIndex] ?? null;
  return (
    <section ref={panel} className="column shrink-y tall surface" aria-label="Lesson">
      <LessonHead open={open} fold={fold} />
      {open.problems.length === 0 || isEditing ? null : <Unfinished problems={open.problems} />}
      {fold?.isFolded ? null : (
        <>
          {step === null ? (
            <p className={styles.none}>This lesson has no step yet. A step begins with ## Title.</p>
          ) : (
            <StepBody
              key={`${open.key} ${step.id}`}
              open={open}
              step={step}
              isLow={fold !== null}
            />
          )}
          <LessonFoot open={open} />
        </>
      )}
    </section>
  );
}

/** Answers with the selection when a selected item is clicked again. Returns a cleanup function. */
function watchClicks(): () => void {
  const click = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest(PANE_BODY) === null) return;
    if (target.closest('[aria-selected="true"], [aria-current]') !== null) answerWithSelected();
  };
  // `capture` makes this handler run before the tool changes the selection.
  document.addEventListener('click', click, { capture: true });
  return () => document.removeEventListener('click', click, { capture: true });
}

/** Matches elements that use the arrow keys themselves: text fields and the menu of steps. */
const OWN_ARROWS = 'input, textarea, [role="menu"]';

/** Makes Left and Right in the panel move in the tool's access string. Returns the panel's ref. */
function useArrowKeys() {
  const panel = useRef<HTMLElement>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    if (!(target instanceof Element) || panel.current?.contains(target) !== true) return;
    if (target.closest(OWN_ARROWS) !== null) return;
    if (stepAccess(key === 'ArrowRight' ? 1 : -1)) event.preventDefault();
  });
  useEffect(() => onKeyDown(document, press), []);
  return panel;
}

/** Shows the first problem of a lesson, with a button to the editor. */
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

/** Shows the buttons to the other steps and back to the step's place. */
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

const ICON = 15;

/** Shows the lesson's title, its steps and the progress. */
function LessonHead({ open, fold }: { readonly open: OpenLesson; readonly fold: Fold | null }) {
  const done = useProgress(({ lessons }) => progressOf(lessons, open.key)?.done ?? NO_STEPS);
  const isPresenting = useLesson((state) => state.isPresenting);
  const { lesson } = open;
  const others = languagesOf(open.key).filter(({ key }) => key !== open.key);
  const marks = stepMarks(lesson?.steps ?? [], open.stepIndex, done);
  return (
    <header className={styles.head}>
      <div className="row gap-1">
        <h2 className={styles.title} lang={lesson?.lang}>
          {visible(lesson?.title ?? '') || 'Lesson'}
        </h2>
        {others.map(({ key, lang, name }) => (
          <Button
            key={key}
            variant="quiet"
            size="small"
            lang={lang}
            onClick={() => void openLesson(key, open.lesson?.steps[open.stepIndex]?.id ?? null)}
          >
            {name}
          </Button>
        ))}
        <Menu
          align="end"
          trigger={
            <Button
              variant="quiet"
              size="small"
              aria-label="All steps"
              title="All steps"
              icon={ListChecks}
            />
          }
          groups={[
            marks.map((mark, index) => ({
              id: mark.id,
              label: `${index + 1}. ${visible(mark.title)}`,
              icon: <MarkIcon state={mark.state} />,
              onSelect: () => void goToStep(index),
            })),
            [
              {
                id: 'edit',
                label: isDraft(open.key) ? 'Edit' : 'Edit a copy',
                icon: <PencilLine size={ICON} aria-hidden />,
                onSelect: editOpenLesson,
              },
            ],
          ]}
        />
        {isPresenting ? null : (
          <span className={styles.wide}>
            <IconButton
              size="small"
              label="Present"
              icon={Presentation}
              onClick={startPresenting}
            />
            <IconButton
              size="small"
              label="Handout"
              icon={Printer}
              onClick={() => showPart('handout')}
            />
          </span>
        )}
        {fold === null ? null : (
          <IconButton
            size="small"
            label={fold.isFolded ? 'Expand lesson' : 'Collapse lesson'}
            aria-expanded={!fold.isFolded}
            icon={fold.isFolded ? ChevronUp : ChevronDown}
            onClick={() => fold.onFold(!fold.isFolded)}
          />
        )}
        <IconButton size="small" label="Close lesson" icon={X} onClick={closeLesson} />
      </div>
      <div className={styles.bar} aria-hidden>
        {marks.map((mark) => (
          <span key={mark.id} className={styles.part} data-state={mark.state} />
        ))}
      </div>
    </header>
  );
}

const NO_STEPS: readonly string[] = [];

const MARKS = {
  here: { Icon: CircleDot, says: 'You are here: ' },
  answered: { Icon: Check, says: 'Answered: ' },
  seen: { Icon: Circle, says: '' },
  open: { Icon: Circle, says: '' },
} as const;

type StepMark = Pick<Step, 'id' | 'title'> & {
  /** State of the step. `here` wins over `answered`. `seen` is an earlier step without question. */
  readonly state: keyof typeof MARKS;
};

function MarkIcon({ state }: Pick<StepMark, 'state'>) {
  const { Icon, says } = MARKS[state];
  return (
    <>
      <Icon size={ICON} aria-hidden />
      {says === '' ? null : <span className="visually-hidden">{says}</span>}
    </>
  );
}

/** Returns the marks of all steps. `done` has the ids of answered steps. */
export function stepMarks(
  steps: readonly Step[],
  stepIndex: number,
  done: readonly string[],
): StepMark[] {
  const answered = new Set(done);
  return steps.map(({ id, title, question }, index) => {
    const isSeen = question === null && index < stepIndex;
    const state =
      index === stepIndex ? 'here' : answered.has(id) ? 'answered' : isSeen ? 'seen' : 'open';
    return { id, title, state };
  });
}
