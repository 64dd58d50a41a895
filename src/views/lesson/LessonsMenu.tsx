import { GraduationCap, Play } from 'lucide-react';
import { CATALOGUE } from '#lessons/catalogue.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { startLesson } from '#store/lesson/start-lesson.ts';
import { IconButton } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import { useContinued } from './continue-lesson.ts';

/** Draws the menu of all lessons; finished ones have a tick. An unfinished lesson is first. */
export function LessonsMenu() {
  const lessons = useProgress((state) => state.lessons);
  const last = useContinued();
  const all = CATALOGUE.map(({ id, number, title }) => ({
    id,
    label: `${number}. ${title}`,
    isChecked: progressOf(lessons, id)?.isFinished === true,
    onSelect: () => void startLesson(id, { track: null }),
  }));
  const resume =
    last === null
      ? []
      : [
          {
            id: 'continue',
            label: last.label,
            icon: <Play size={14} aria-hidden />,
            onSelect: () => void startLesson(last.key),
          },
        ];
  return (
    <Menu
      align="end"
      trigger={<IconButton label="Lessons" icon={GraduationCap} />}
      groups={resume.length === 0 ? [all] : [resume, all]}
    />
  );
}
