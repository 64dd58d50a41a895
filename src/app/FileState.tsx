import { showView } from '#store/address/navigation.ts';
import type { OpenFile } from '#store/session/session.ts';
import { viewTitle } from '#store/session/views.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { ArchiveView, OpeningView, RefusedView } from '#views/start/StatePage.tsx';
import styles from './FileViews.module.css';
import { ViewPanel } from './ViewPanel.tsx';

const ATLAS_VIEWS = { history: viewTitle('history'), query: viewTitle('query') };

/** What is shown of a file that is no object, or none yet. */
export function FileState(props: { readonly file: OpenFile; readonly onOpen: () => void }) {
  const { file, onOpen } = props;
  const atlasView = file.view === 'query' ? 'query' : 'history';
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
          <div className={styles.switch}>
            <Segmented label="View" options={ATLAS_VIEWS} value={atlasView} onChange={showView} />
          </div>
          <ViewPanel key={atlasView} view={atlasView} />
        </div>
      );
    case 'ready':
      return null;
  }
}
