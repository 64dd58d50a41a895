/** What stands in place of the views of a file: while there are none, and where they cannot be drawn. */
import type { FallbackProps } from 'react-error-boundary';
import type { OpenFile } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { ArchiveView, OpeningView, RefusedView } from '#views/start/StatePage.tsx';
import styles from './FileState.module.css';

/** What is shown of a file that has no views, or none yet. */
export function FileState(props: { readonly file: OpenFile; readonly onOpen: () => void }) {
  const { file, onOpen } = props;
  switch (file.status.step) {
    case 'opening':
      return <OpeningView file={file} />;
    case 'failed':
      return <RefusedView file={file} onOpen={onOpen} />;
    case 'archive':
      return <ArchiveView file={file} />;
    case 'ready':
      return null;
  }
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
