import {
  Check,
  ChevronDown,
  ChevronUp,
  Circle,
  CircleDot,
  ListChecks,
  PencilLine,
  Presentation,
  Printer,
  X,
} from 'lucide-react';
import { visible } from '#bytes/text.ts';
import type { Step } from '#lessons/lesson.ts';
import { isDraft } from '#store/lesson/drafts.ts';
import { editOpenLesson } from '#store/lesson/edit-lesson.ts';
import { goToStep } from '#store/lesson/lesson-player.ts';
import { closeLesson, type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { showHandout, startPresenting } from '#store/lesson/presenter.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import styles from './LessonHead.module.css';
import type { Fold } from './LessonPanel.tsx';

const ICON = 15;

type LessonHeadProps = { readonly open: OpenLesson; readonly fold: Fold | null };

/** The lesson's title, all its steps, and how far one is. */
export function LessonHead({ open, fold }: LessonHeadProps) {
  const done = useProgress(({ lessons }) => progressOf(lessons, open.key)?.done ?? NONE);
  const isPresenting = useLesson((state) => state.isPresenting);
  const { lesson } = open;
  const marks = stepMarks(lesson?.steps ?? [], open.stepIndex, done);
  return (
    <header className={styles.head}>
      <div className="row gap-1">
        <h2 className={styles.title}>{visible(lesson?.title ?? '') || 'Lesson'}</h2>
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
          <>
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
              onClick={() => showHandout(true)}
            />
          </>
        )}
        {fold === null ? null : (
          <IconButton
            size="small"
            label={fold.isFolded ? 'Unfold the lesson' : 'Fold the lesson'}
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

const NONE: readonly string[] = [];

const MARKS = {
  here: { Icon: CircleDot, says: 'You are here: ' },
  answered: { Icon: Check, says: 'Answered: ' },
  seen: { Icon: Circle, says: '' },
  open: { Icon: Circle, says: '' },
} as const;

type StepMark = Pick<Step, 'id' | 'title'> & {
  /** `here` wins over `answered`; `seen`: a step without a question that lies behind. */
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

/** The marks of all steps; `done` are the ids of those whose question was answered. */
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
