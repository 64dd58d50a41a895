import { lazy, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { usePanes } from '#store/panes.ts';
import { useSession } from '#store/session.ts';
import { whenIdle } from '#store/when-idle.ts';
import { StartView } from '#views/start/StartView.tsx';
import { WantedView } from '#views/start/StatePage.tsx';
import { FileState } from './FileState.tsx';
import type { FileViewsProps } from './FileViews.tsx';
import { ViewFailed } from './ViewPanel.tsx';

// The start page needs none of it: it is fetched when the page is idle, or a file is open.
const loaded: { FileViews?: typeof import('./FileViews.tsx').FileViews } = {};
async function loadFileViews() {
  const { FileViews } = await import('./FileViews.tsx');
  loaded.FileViews = FileViews;
  return { default: FileViews };
}
const LazyFileViews = lazy(loadFileViews);

/** What stands in the middle of the page: the views of a file, or what to do while there are none. */
export function Stage({ onOpen }: { readonly onOpen: () => void }) {
  const panes = usePanes();
  const wanted = useSession((state) => state.wanted);
  useEffect(() => whenIdle(() => void loadFileViews().catch(() => undefined)), []);
  if (panes === null) {
    return wanted === null ? (
      <StartView onOpen={onOpen} />
    ) : (
      <WantedView wanted={wanted} onOpen={onOpen} />
    );
  }
  const { file } = panes.first;
  return file.status.step === 'ready' ? (
    <ReadyFile key={file.id} panes={panes} model={file.status.model} onOpen={onOpen} />
  ) : (
    <FileState file={file} onOpen={onOpen} />
  );
}

function ReadyFile(props: FileViewsProps) {
  // Kept from the first drawing on: another component would start anew.
  const [FileViews] = useState(() => loaded.FileViews ?? LazyFileViews);
  return (
    <ErrorBoundary FallbackComponent={ViewFailed}>
      <Suspense fallback={null}>
        <FileViews {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
