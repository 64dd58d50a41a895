import { Columns2 } from 'lucide-react';
import { openBeside, usePane, usePanes } from '#store/session/panes.ts';
import { type ViewName, viewTitle } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';

/** Offers a view that goes well with the one it stands in. Nothing in the second pane, and where the view is beside already. */
export function BesideButton({ view }: { readonly view: ViewName }) {
  const place = usePane();
  const panes = usePanes();
  if (place === null || panes === null) return null;
  const { first, second } = panes;
  const isInFirst = first.file.id === place.fileId && first.view === place.view;
  const isBeside = second?.file.id === first.file.id && second.view === view;
  if (!isInFirst || isBeside) return null;
  const title = viewTitle(view);
  return (
    <Button
      size="small"
      icon={Columns2}
      title={`Open ${title} beside`}
      onClick={() => openBeside(view)}
    >
      {title} beside
    </Button>
  );
}
