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

/** A small button that sets the selection and shows it in a view. */
export function SelectButton(props: SelectButtonProps) {
  const { selection, view, ...rest } = props;
  return <Button {...rest} size="small" onClick={() => select(selection, view)} />;
}

/** Shows bytes of the file; hidden without a span. */
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

/** Shows a VAR or FUNC in Types; hidden if BTF has none. */
export function ShowType({ type }: { readonly type: TypeId | null }) {
  return type === null ? null : (
    <SelectButton selection={typeSelection(type)} view="types" icon={Boxes}>
      Show in Types
    </SelectButton>
  );
}

/** Opens the source line in the editor that shows the page; hidden without an editor or a line. */
export function SourceButton({ line }: { readonly line: SourceLine | null }) {
  const open = sourceOpener();
  return open === undefined || line === null ? null : (
    <Button size="small" icon={FileCode} onClick={() => open(line)}>
      Open source
    </Button>
  );
}

/** Opens `view` in the second pane; hidden in the second pane and while it shows `view` already. */
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
