import { activeFile, useSession } from '#store/session.ts';
import { StartView } from '#views/start/StartView.tsx';
import { ArchiveView, OpeningView, RefusedView, WantedView } from '#views/start/StatePage.tsx';
import { FileViews } from './FileViews.tsx';

/** What stands in the middle of the page: the views of a file, or what to do while there are none. */
export function Stage({ onOpen }: { readonly onOpen: () => void }) {
  const file = useSession(activeFile);
  const wanted = useSession((state) => state.wanted);
  if (file === null) {
    return wanted === null ? (
      <StartView onOpen={onOpen} />
    ) : (
      <WantedView wanted={wanted} onOpen={onOpen} />
    );
  }
  switch (file.status.step) {
    case 'opening':
      return <OpeningView file={file} />;
    case 'failed':
      return <RefusedView file={file} onOpen={onOpen} />;
    case 'archive':
      return <ArchiveView file={file} />;
    case 'ready':
      return <FileViews key={file.id} file={file} model={file.status.model} />;
  }
}
