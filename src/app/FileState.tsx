import type { OpenFile } from '#store/session.ts';
import { ArchiveView, OpeningView, RefusedView } from '#views/start/StatePage.tsx';
import { ViewPanel } from './ViewPanel.tsx';

/** What is shown of a file that is no object, or none yet. */
export function FileState(props: { readonly file: OpenFile; readonly onOpen: () => void }) {
  const { file, onOpen } = props;
  switch (file.status.step) {
    case 'opening':
      return <OpeningView file={file} />;
    case 'failed':
      return <RefusedView file={file} onOpen={onOpen} />;
    case 'archive':
      return <ArchiveView file={file} />;
    case 'atlas':
      return (
        <div className="column shrink-y tall">
          <ViewPanel view="history" />
        </div>
      );
    case 'ready':
      return null;
  }
}
