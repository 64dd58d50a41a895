/** Adds lessons to the page. Outside of lessons only `app/modules.ts` imports this module. */
import { ChartNoAxesColumn, GraduationCap, PencilLine, Presentation, Users } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { CATALOGUE } from '#lessons/catalogue.ts';
import { extendPage, type PageCommand } from '#store/address/page-extension.ts';
import { draftTitle, useDrafts } from '#store/lesson/kept-lessons.ts';
import { closeLesson, useLesson } from '#store/lesson/lesson-state.ts';
import {
  showPart,
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
import { announce, useSession } from '#store/session/session.ts';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { PresentingContext } from '#ui/presenting.ts';
import styles from './LessonFrame.module.css';
import { ContinueLesson, Lessons } from './Lessons.tsx';

const LessonDock = lazyComponent(async () => (await import('./LessonDock.tsx')).LessonDock);
const LessonEditor = lazyComponent(
  async () => (await import('#views/lesson-editor/LessonEditor.tsx')).LessonEditor,
);
const Presenter = lazyComponent(
  async () => (await import('#views/presenter/Presenter.tsx')).Presenter,
);
const HandoutView = lazyComponent(
  async () => (await import('#views/handout/HandoutView.tsx')).HandoutView,
);

const LessonsMenu = lazyComponent(async () => (await import('./LessonsMenu.tsx')).LessonsMenu);
const CertificateView = lazyComponent(
  async () => (await import('#views/class/CertificateView.tsx')).CertificateView,
);
const ProgressDialog = lazyComponent(
  async () => (await import('#views/class/ProgressDialog.tsx')).ProgressDialog,
);
const ClassDialog = lazyComponent(
  async () => (await import('#views/class/ClassDialog.tsx')).ClassDialog,
);

/** Returns an error handler that closes a part of the page and announces `sentence`. */
function failing(close: () => void, sentence: string): () => void {
  return () => {
    close();
    announce(sentence);
  };
}

const closePart = () => showPart(null);

/** Shows the page, or in its place the printed lesson or certificate. */
function PageOrPaper({ children }: { readonly children: ReactNode }) {
  const hasLesson = useLesson(({ open }) => open?.lesson != null);
  const part = usePresenter((state) => state.part);
  const isHandout = part === 'handout' && hasLesson;
  if (!isHandout && part !== 'certificate') return children;
  const failed = failing(closePart, `Couldn't draw the ${part}`);
  return <LazyPart onError={failed}>{isHandout ? <HandoutView /> : <CertificateView />}</LazyPart>;
}

/** Shows the tool with the open lesson beside it. Opening a lesson does not remount the tool. */
function LessonFrame({ children }: { readonly children: ReactNode }) {
  const isOpen = useLesson(({ open, problem }) => open !== null || problem !== null);
  const isEditing = useLesson((state) => state.isEditing && state.open !== null);
  const isPresenting = useLesson((state) => state.isPresenting);
  // Width of the tool in per cent; null while no lesson is beside the tool.
  const [share, setShare] = useState<number | null>(null);
  const failed = failing(closeLesson, "Couldn't show the lesson");
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
        <div className={styles.stage}>
          <PresentingContext value={isPresenting}>{children}</PresentingContext>
        </div>
      </div>
      {isOpen ? (
        <LazyPart onError={failed}>
          <LessonDock onShare={setShare} />
        </LazyPart>
      ) : null}
    </div>
  );
}

/** Draws the menu of lessons in the header. */
function HeaderLessons() {
  const hasFiles = useSession((state) => state.files.length > 0);
  return (
    <span className={styles.menu} data-with-files={hasFiles ? '' : undefined}>
      <LazyPart onError={() => announce("Couldn't load the list of lessons")}>
        <LessonsMenu />
      </LazyPart>
    </span>
  );
}

function TeachingOverlay() {
  const isPresenting = useLesson((state) => state.isPresenting);
  const part = usePresenter((state) => state.part);
  const noClass = failing(closePart, "Couldn't load the class");
  return (
    <>
      {isPresenting ? (
        <LazyPart onError={failing(stopPresenting, "Couldn't load the presenter")}>
          <Presenter />
        </LazyPart>
      ) : null}
      <LazyPart isOpen={part === 'progress'} onError={noClass}>
        <ProgressDialog />
      </LazyPart>
      <LazyPart isOpen={part === 'class'} onError={noClass}>
        <ClassDialog />
      </LazyPart>
    </>
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

const CLASS: readonly PageCommand[] = [
  {
    id: 'progress',
    title: 'Progress in lessons',
    also: 'code qr certificate export import reset',
    icon: <ChartNoAxesColumn size={SIZE} aria-hidden />,
    run: () => showPart('progress'),
  },
  {
    id: 'class',
    title: 'Class',
    also: 'teacher codes tally learners',
    icon: <Users size={SIZE} aria-hidden />,
    run: () => showPart('class'),
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
    return [...LESSONS, ...writing, ...CLASS, PRESENT];
  }, [drafts]);
}

// A link to a lesson can have `?lesson=…` in place of the part after `#`.
const asked = hashOfSearch(location.search, location.hash);
if (asked !== null) history.replaceState(null, '', location.pathname + asked);

registerLessons();
extendPage({
  useCommands: useLessonCommands,
  Page: PageOrPaper,
  Stage: LessonFrame,
  Overlay: TeachingOverlay,
  HeaderAction: HeaderLessons,
  StartSection: Lessons,
  StartAction: ContinueLesson,
});
