import { type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { type ViewName, viewTitle } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { ViewWidth } from '#ui/ViewWidth.tsx';
import styles from './ViewPanel.module.css';
import { viewComponent } from './view-components.ts';

/** One view, with what stands for it until it is here and where it fails. */
export function ViewPanel({ view }: { readonly view: ViewName }): ReactNode {
  // Kept from the first drawing on: another component would start anew.
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

/** A view, or all of them, could not be fetched or drawn. */
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
