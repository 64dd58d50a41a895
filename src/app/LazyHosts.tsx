import { lazy, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useGlossary } from '#store/glossary.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import { stopPresenting } from '#store/lesson/presenter.ts';
import { announce } from '#store/session.ts';

const Presenter = lazy(async () => ({
  default: (await import('#views/presenter/Presenter.tsx')).Presenter,
}));

/** What is there while somebody presents; fetched when it begins. */
export function PresenterHost() {
  const isPresenting = useLesson((state) => state.isPresenting);
  return isPresenting ? (
    <ErrorBoundary fallback={null} onError={failed}>
      <Suspense fallback={null}>
        <Presenter />
      </Suspense>
    </ErrorBoundary>
  ) : null;
}

function failed(): void {
  stopPresenting();
  announce('The presenter could not be loaded');
}

const GlossaryDialog = lazy(async () => ({
  default: (await import('#views/glossary/GlossaryDialog.tsx')).GlossaryDialog,
}));

/** The glossary over the page; fetched when it is opened for the first time. */
export function GlossaryHost() {
  const wasOpen = useGlossary((state) => state.wasOpen);
  return wasOpen ? (
    <ErrorBoundary fallback={null} onError={() => announce('The glossary could not be loaded')}>
      <Suspense fallback={null}>
        <GlossaryDialog />
      </Suspense>
    </ErrorBoundary>
  ) : null;
}
