import { type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';

type LazyPartProps = {
  /** Once it was open it stays drawn, so that closing it gives the focus back. */
  readonly isOpen?: boolean;
  /** It could not be fetched or drawn: nothing stands in its place. */
  readonly onError: () => void;
  readonly children: ReactNode;
};

/** A part of the page that is fetched when it is opened for the first time. */
export function LazyPart({ isOpen = true, onError, children }: LazyPartProps) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <ErrorBoundary fallback={null} onError={onError}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
