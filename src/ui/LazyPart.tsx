import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { onKeyDown } from './keys.tsx';

type LazyPartProps = {
  /** Once it was open it stays drawn, so that closing it gives the focus back. */
  readonly isOpen?: boolean;
  /** It could not be fetched or drawn: nothing stands in its place. */
  readonly onError: () => void;
  /** Escape was pressed before it was there. */
  readonly onDismiss?: () => void;
  readonly children: ReactNode;
};

/** A part of the page that is fetched when it is opened for the first time. */
export function LazyPart({ isOpen = true, onError, onDismiss, children }: LazyPartProps) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <ErrorBoundary fallback={null} onError={onError}>
      <Suspense fallback={onDismiss === undefined ? null : <Pending onDismiss={onDismiss} />}>
        {children}
      </Suspense>
    </ErrorBoundary>
  );
}

/** Nothing, that Escape puts an end to. */
function Pending({ onDismiss }: { readonly onDismiss: () => void }) {
  useEffect(
    () =>
      onKeyDown(document, (event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onDismiss();
      }),
    [onDismiss],
  );
  return null;
}
