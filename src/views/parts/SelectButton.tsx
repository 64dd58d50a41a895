import { Binary, Boxes, Columns2, FileCode, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import type { Span } from '#bytes/span.ts';
import type { TypeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { sourceOpener } from '#store/page/host.ts';
import { openBeside, usePane, usePanes } from '#store/session/panes.ts';
import { type ViewName, viewTitle } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';

type SelectButtonProps = {
  readonly selection: Selection;
  readonly view: ViewName;
  readonly icon?: LucideIcon;
  readonly disabled?: boolean;
  readonly children: ReactNode;
};

/** Shows a small button that makes a selection and opens a view that shows it. */
export function SelectButton(props: SelectButtonProps) {
  const { selection, view, ...rest } = props;
  return <Button {...rest} size="small" onClick={() => select(selection, view)} />;
}

/** Shows a button that leads to bytes of the file; hidden if `span` is null. */
export function ShowBytes({ span }: { readonly span: Span | null }) {
  return span === null ? null : (
    <SelectButton
      selection={{ kind: 'bytes', start: span.start, end: span.end }}
      view="bytes"
      icon={Binary}
    >
      Show bytes
    </SelectButton>
  );
}

/** Shows a button that leads to a VAR or FUNC in Types; hidden if the file has no such type. */
export function ShowType({ type }: { readonly type: TypeId | null }) {
  return type === null ? null : (
    <SelectButton selection={typeSelection(type)} view="types" icon={Boxes}>
      Show in Types
    </SelectButton>
  );
}

/** Shows a button that opens a source line in the surrounding editor; hidden outside of one. */
export function SourceButton({ line }: { readonly line: SourceLine | null }) {
  const open = sourceOpener();
  return open === undefined || line === null ? null : (
    <Button size="small" icon={FileCode} onClick={() => open(line)}>
      Open source
    </Button>
  );
}

/** Shows a button that opens `view` in the second pane; hidden if that pane already has `view`. */
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
