import {
  Check,
  ChevronDown,
  ChevronUp,
  Circle,
  CircleDot,
  ListChecks,
  PencilLine,
  X,
} from 'lucide-react';
import { visible } from '#bytes/text.ts';
import { isDraft } from '#store/lesson/drafts.ts';
import { editOpenLesson } from '#store/lesson/edit-lesson.ts';
import { goToStep } from '#store/lesson/lesson-player.ts';
import { closeLesson, type OpenLesson } from '#store/lesson/lesson-state.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import styles from './LessonHead.module.css';
import type { Fold } from './LessonPanel.tsx';
import { PresentButtons } from './PresentButtons.tsx';
import { type StepMark, stepMarks } from './step-marks.ts';

const ICON = 15;

type LessonHeadProps = { readonly open: OpenLesson; readonly fold: Fold | null };

/** The lesson's title, all its steps, and how far one is. */
export function LessonHead({ open, fold }: LessonHeadProps) {
  const done = useProgress(({ lessons }) => progressOf(lessons, open.key)?.done ?? NONE);
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
              icon: <MarkIcon mark={mark} />,
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
        <PresentButtons />
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

function MarkIcon({ mark }: { readonly mark: StepMark }) {
  switch (mark.state) {
    case 'answered':
      return (
        <>
          <Check size={ICON} aria-hidden />
          <span className="visually-hidden">Answered: </span>
        </>
      );
    case 'here':
      return (
        <>
          <CircleDot size={ICON} aria-hidden />
          <span className="visually-hidden">You are here: </span>
        </>
      );
    default:
      return <Circle size={ICON} aria-hidden />;
  }
}
