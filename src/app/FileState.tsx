import { showView } from '#store/address/navigation.ts';
import type { OpenFile } from '#store/session/session.ts';
import { atlasViews, viewForFile, viewTitle } from '#store/session/views.ts';
import { Segmented } from '#ui/inputs.tsx';
import { ArchiveView, OpeningView, RefusedView } from '#views/start/StatePage.tsx';
import styles from './FileViews.module.css';
import { ViewPanel } from './ViewPanel.tsx';

/** Draws a file without a model: an opening or failed file, an archive or an atlas. */
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
      return <AtlasViews file={file} />;
    case 'ready':
      return null;
  }
}

function AtlasViews({ file }: { readonly file: OpenFile }) {
  const view = viewForFile(file, file.view);
  const titles = Object.fromEntries(atlasViews().map((name) => [name, viewTitle(name)]));
  return (
    <div className="column shrink-y tall">
      <div className={styles.switch}>
        <Segmented label="View" options={titles} value={view} onChange={showView} />
      </div>
      <ViewPanel key={view} view={view} />
    </div>
  );
}
