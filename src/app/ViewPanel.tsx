import { type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { type ViewName, viewTitle } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { ViewWidth } from '#ui/element-size.tsx';
import styles from './ViewPanel.module.css';
import { viewComponent } from './view-components.ts';

/** Draws a view, its fallback while it loads, and an error if it fails. */
export function ViewPanel({ view }: { readonly view: ViewName }): ReactNode {
  // Fixed at the first render: another component would lose its state.
  const [View] = useState(() => viewComponent(view));
  return (
    <ViewWidth className={styles.panel}>
      <ErrorBoundary FallbackComponent={ViewFailed}>
        <Suspense
          fallback={
            <p className={styles.waiting} data-loading>
              Loading {viewTitle(view)}…
            </p>
          }
        >
          <View />
        </Suspense>
      </ErrorBoundary>
    </ViewWidth>
  );
}

/** Draws the error of a view that could not be fetched or drawn. */
export function ViewFailed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className={styles.failed}>
      <Callout
        severity="error"
        title="btfscope has a bug: this view could not be drawn"
        actions={<Button onClick={resetErrorBoundary}>Try again</Button>}
        isAlert
      >
        {error instanceof Error ? error.message : String(error)}. The other views still work. Please
        report it.
      </Callout>
    </div>
  );
}
