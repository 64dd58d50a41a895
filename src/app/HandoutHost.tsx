import { lazy, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { showHandout } from '#store/lesson/presenter.ts';
import { announce } from '#store/session.ts';

const HandoutView = lazy(async () => ({
  default: (await import('#views/handout/HandoutView.tsx')).HandoutView,
}));

/** The handout in place of the tool; fetched when it is asked for. */
export function HandoutHost() {
  return (
    <ErrorBoundary fallback={null} onError={failed}>
      <Suspense fallback={null}>
        <HandoutView />
      </Suspense>
    </ErrorBoundary>
  );
}

function failed(): void {
  showHandout(false);
  announce('The handout could not be drawn');
}
