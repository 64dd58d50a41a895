import { showView } from '#store/address/navigation.ts';
import { logOf, type OpenFile } from '#store/session/session.ts';
import { viewForFile, viewsOfClass, viewTitle } from '#store/session/views.ts';
import { Segmented } from '#ui/inputs.tsx';
import { ArchiveView, OpeningView, RefusedView } from '#views/start/StatePage.tsx';
import styles from './FileViews.module.css';
import { ViewPanel } from './ViewPanel.tsx';

/** Draws a file without a model: an opening or failed file, an archive, an atlas or a log. */
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
      return <OwnViews file={file} fileClass="atlas" />;
    case 'log':
      return <OwnViews file={file} fileClass="log" />;
    case 'ready':
      return null;
  }
}

type OwnViewsProps = { readonly file: OpenFile; readonly fileClass: 'atlas' | 'log' };

/** Draws the views that only files of a class have, with a switch if there are several. */
function OwnViews({ file, fileClass }: OwnViewsProps) {
  const view = viewForFile(file, file.view);
  const views = viewsOfClass(fileClass, logOf(file) ?? undefined);
  const titles = Object.fromEntries(views.map((name) => [name, viewTitle(name)]));
  return (
    <div className="column shrink-y tall">
      {views.length < 2 ? null : (
        <div className={styles.switch}>
          <Segmented label="View" options={titles} value={view} onChange={showView} />
        </div>
      )}
      <div className="column fill" data-pane-body tabIndex={-1}>
        <ViewPanel key={`${file.id} ${view}`} view={view} />
      </div>
    </div>
  );
}
