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

/** Returns a component whose code is loaded when it is first drawn. */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}

type LazyPartProps = {
  /** Whether the part is open. A closed part stays mounted, so that closing restores the focus. */
  readonly isOpen?: boolean;
  /** Called if the part cannot be fetched or drawn. The part is then empty. */
  readonly onError: () => void;
  /** Called when the user presses Escape while the part loads. */
  readonly onDismiss?: () => void;
  readonly children: ReactNode;
};

/** Draws a part of the page whose code is fetched when the part first opens. */
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

/** Draws nothing. While a part loads, Escape calls `onDismiss`. */
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
