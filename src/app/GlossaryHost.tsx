import { lazy, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useGlossary } from '#store/glossary.ts';
import { announce } from '#store/session.ts';

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
