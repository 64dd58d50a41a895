/**
 * Registers teaching with the page: lessons beside the tool, their editor, presenting, and the
 * handout. Nothing outside of teaching's folders imports it but `app/modules.ts`.
 */
import { GraduationCap, PencilLine, Presentation } from 'lucide-react';
import { lazy, type ReactNode, useMemo, useState } from 'react';
import { CATALOGUE } from '#lessons/catalogue.ts';
import { draftTitle, useDrafts } from '#store/lesson/drafts.ts';
import { closeLesson, useLesson } from '#store/lesson/lesson-state.ts';
import {
  showHandout,
  startPresenting,
  stopPresenting,
  usePresenter,
} from '#store/lesson/presenter.ts';
import {
  hashOfSearch,
  registerLessons,
  startLesson,
  startWriting,
} from '#store/lesson/start-lesson.ts';
import { extendPage, type PageCommand } from '#store/page-extension.ts';
import { announce } from '#store/session.ts';
import { LazyPart } from '#ui/LazyPart.tsx';
import styles from './LessonFrame.module.css';
import { Lessons } from './Lessons.tsx';

const LessonDock = lazy(async () => ({ default: (await import('./LessonDock.tsx')).LessonDock }));
const LessonEditor = lazy(async () => ({
  default: (await import('#views/lesson-editor/LessonEditor.tsx')).LessonEditor,
}));
const Presenter = lazy(async () => ({
  default: (await import('#views/presenter/Presenter.tsx')).Presenter,
}));
const HandoutView = lazy(async () => ({
  default: (await import('#views/handout/HandoutView.tsx')).HandoutView,
}));

/** The page, or the lesson as it is printed. */
function PageOrHandout({ children }: { readonly children: ReactNode }) {
  const hasLesson = useLesson(({ open }) => open?.lesson != null);
  const isHandout = usePresenter((state) => state.isHandout);
  if (!isHandout || !hasLesson) return children;
  const failed = () => {
    showHandout(false);
    announce("Couldn't draw the handout");
  };
  return (
    <LazyPart onError={failed}>
      <HandoutView />
    </LazyPart>
  );
}

/** The tool, and beside it the lesson while one is open. Opening a lesson does not remount the tool. */
function LessonFrame({ children }: { readonly children: ReactNode }) {
  const isOpen = useLesson(({ open, problem }) => open !== null || problem !== null);
  const isEditing = useLesson((state) => state.isEditing && state.open !== null);
  // Per cent of the width; null while no lesson is beside the tool.
  const [share, setShare] = useState<number | null>(null);
  const failed = () => {
    closeLesson();
    announce("Couldn't show the lesson");
  };
  return (
    <div className={styles.frame}>
      <div
        className={styles.tool}
        data-editing={isEditing ? '' : undefined}
        style={isOpen && share !== null ? { maxWidth: `${share}%` } : undefined}
      >
        {isEditing ? (
          <div className={styles.editor}>
            <LazyPart onError={failed}>
              <LessonEditor />
            </LazyPart>
          </div>
        ) : null}
        <div className={styles.stage}>{children}</div>
      </div>
      {isOpen ? (
        <LazyPart onError={failed}>
          <LessonDock onShare={setShare} />
        </LazyPart>
      ) : null}
    </div>
  );
}

function PresenterOverlay() {
  const isPresenting = useLesson((state) => state.isPresenting);
  if (!isPresenting) return null;
  const failed = () => {
    stopPresenting();
    announce("Couldn't load the presenter");
  };
  return (
    <LazyPart onError={failed}>
      <Presenter />
    </LazyPart>
  );
}

const SIZE = 15;
const WRITE = <PencilLine size={SIZE} aria-hidden />;

const LESSONS: readonly PageCommand[] = [
  ...CATALOGUE.map(({ id, number, title, about }) => ({
    id: `lesson:${id}`,
    title: `Lesson ${number}: ${title}`,
    also: `learn course ${about}`,
    icon: <GraduationCap size={SIZE} aria-hidden />,
    run: () => void startLesson(id, { track: null }),
  })),
  {
    id: 'write',
    title: 'Write a lesson',
    also: 'author new markdown teach',
    icon: WRITE,
    run: () => void startWriting(null),
  },
];

const PRESENT: PageCommand = {
  id: 'present',
  title: 'Present',
  also: 'full screen large type audience talk laser spotlight',
  icon: <Presentation size={SIZE} aria-hidden />,
  run: startPresenting,
};

function useLessonCommands(): readonly PageCommand[] {
  const drafts = useDrafts((state) => state.drafts);
  return useMemo(() => {
    const writing = [...drafts].reverse().map(([key, text]) => ({
      id: key,
      title: `Draft: ${draftTitle(text)}`,
      also: 'lesson author continue',
      icon: WRITE,
      run: () => void startWriting(key),
    }));
    return [...LESSONS, ...writing, PRESENT];
  }, [drafts]);
}

// A page that teaches links to `?lesson=…`, which reads better than an address behind `#`.
const asked = hashOfSearch(location.search, location.hash);
if (asked !== null) history.replaceState(null, '', location.pathname + asked);

registerLessons();
extendPage({
  useCommands: useLessonCommands,
  Page: PageOrHandout,
  Stage: LessonFrame,
  Overlay: PresenterOverlay,
  StartSection: Lessons,
});
