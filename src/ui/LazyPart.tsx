import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { onKeyDown } from './keys.tsx';

/** Returns a component that is loaded when it is first drawn. */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}

type LazyPartProps = {
  /** A part that was open once stays mounted, so that closing it returns the focus. */
  readonly isOpen?: boolean;
  /** Called if the part could not be fetched or drawn; nothing is drawn in its place. */
  readonly onError: () => void;
  /** Called on Escape while the part loads. */
  readonly onDismiss?: () => void;
  readonly children: ReactNode;
};

/** Draws a part of the page that is fetched when it first opens. */
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

/** Draws nothing while a part loads; Escape dismisses it. */
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
