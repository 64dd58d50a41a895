import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { closeLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { announce } from '#store/session.ts';
import styles from './LessonFrame.module.css';

const LessonDock = lazy(async () => ({
  default: (await import('#views/lesson/LessonDock.tsx')).LessonDock,
}));

const LessonEditor = lazy(async () => ({
  default: (await import('#views/lesson-editor/LessonEditor.tsx')).LessonEditor,
}));

/** The tool, and beside it the lesson while one is open. The tool is never drawn anew for that. */
export function LessonFrame({ children }: { readonly children: ReactNode }) {
  const isOpen = useLesson(({ open, problem }) => open !== null || problem !== null);
  const isEditing = useLesson((state) => state.isEditing && state.open !== null);
  // Per cent of the width; null while no lesson stands beside the tool.
  const [share, setShare] = useState<number | null>(null);
  return (
    <div className={styles.frame}>
      <div
        className={styles.tool}
        data-editing={isEditing ? '' : undefined}
        style={isOpen && share !== null ? { maxWidth: `${share}%` } : undefined}
      >
        {isEditing ? (
          <div className={styles.editor}>
            <ErrorBoundary fallback={null} onError={failed}>
              <Suspense fallback={null}>
                <LessonEditor />
              </Suspense>
            </ErrorBoundary>
          </div>
        ) : null}
        <div className={styles.stage}>{children}</div>
      </div>
      {isOpen ? (
        <ErrorBoundary fallback={null} onError={failed}>
          <Suspense fallback={null}>
            <LessonDock onShare={setShare} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </div>
  );
}

function failed(): void {
  closeLesson();
  announce('The lesson could not be shown');
}
