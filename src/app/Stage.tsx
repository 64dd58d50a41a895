import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { whenIdle } from '#store/page/when-idle.ts';
import { usePanes } from '#store/session/panes.ts';
import { useSession } from '#store/session/session.ts';
import { lazyComponent } from '#ui/LazyPart.tsx';
import { StartView } from '#views/start/StartView.tsx';
import type { FileViewsProps } from './FileViews.tsx';
import { ViewFailed } from './ViewPanel.tsx';

// The start page needs no views: fetch them while the page is idle or with the first file.
const loaded: { FileViews?: typeof import('./FileViews.tsx').FileViews } = {};
async function loadFileViews() {
  const { FileViews } = await import('./FileViews.tsx');
  loaded.FileViews = FileViews;
  return { default: FileViews };
}
const LazyFileViews = lazy(loadFileViews);

const loadFileState = () => import('./FileState.tsx');
const FileState = lazyComponent(async () => (await loadFileState()).FileState);
const WantedView = lazyComponent(
  async () => (await import('#views/start/StatePage.tsx')).WantedView,
);

/** Draws the main part of the page: panes, start page, or a request to open the file of a link. */
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
  // The component is chosen once: a later change of component would reset the views.
  const [FileViews] = useState(() => loaded.FileViews ?? LazyFileViews);
  return (
    <Fetched>
      <FileViews {...props} />
    </Fetched>
  );
}

/** Draws children that load lazily, with a fallback and an error message. */
function Fetched({ children }: { readonly children: ReactNode }) {
  return (
    <ErrorBoundary FallbackComponent={ViewFailed}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
