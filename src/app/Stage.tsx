import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { whenIdle } from '#store/page/when-idle.ts';
import { usePanes } from '#store/session/panes.ts';
import { useSession } from '#store/session/session.ts';
import { StartView } from '#views/start/StartView.tsx';
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

const loadFileState = () => import('./FileState.tsx');
const FileState = lazy(async () => ({ default: (await loadFileState()).FileState }));
const WantedView = lazy(async () => ({
  default: (await import('#views/start/StatePage.tsx')).WantedView,
}));

/** What stands in the middle of the page: the views of a file, or what to do while there are none. */
export function Stage({ onOpen }: { readonly onOpen: () => void }) {
  const panes = usePanes();
  const wanted = useSession((state) => state.wanted);
  useEffect(
    () =>
      whenIdle(() => void Promise.all([loadFileViews(), loadFileState()]).catch(() => undefined)),
    [],
  );
  if (panes === null) {
    return wanted === null ? (
      <StartView onOpen={onOpen} />
    ) : (
      <Fetched>
        <WantedView wanted={wanted} onOpen={onOpen} />
      </Fetched>
    );
  }
  const { file } = panes.first;
  return file.status.step === 'ready' ? (
    <ReadyFile key={file.id} panes={panes} model={file.status.model} onOpen={onOpen} />
  ) : (
    <Fetched>
      <FileState file={file} onOpen={onOpen} />
    </Fetched>
  );
}

function ReadyFile(props: FileViewsProps) {
  // Kept from the first drawing on: another component would start anew.
  const [FileViews] = useState(() => loaded.FileViews ?? LazyFileViews);
  return (
    <Fetched>
      <FileViews {...props} />
    </Fetched>
  );
}

/** What may have to be fetched first, and may fail. */
function Fetched({ children }: { readonly children: ReactNode }) {
  return (
    <ErrorBoundary FallbackComponent={ViewFailed}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
