import { usePanes } from '#store/panes.ts';
import { useSession } from '#store/session.ts';
import { StartView } from '#views/start/StartView.tsx';
import { WantedView } from '#views/start/StatePage.tsx';
import { FileState, FileViews } from './FileViews.tsx';

/** What stands in the middle of the page: the views of a file, or what to do while there are none. */
export function Stage({ onOpen }: { readonly onOpen: () => void }) {
  const panes = usePanes();
  const wanted = useSession((state) => state.wanted);
  if (panes === null) {
    return wanted === null ? (
      <StartView onOpen={onOpen} />
    ) : (
      <WantedView wanted={wanted} onOpen={onOpen} />
    );
  }
  const { file } = panes.first;
  return file.status.step === 'ready' ? (
    <FileViews key={file.id} panes={panes} model={file.status.model} onOpen={onOpen} />
  ) : (
    <FileState file={file} onOpen={onOpen} />
  );
}
