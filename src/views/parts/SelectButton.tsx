import { Binary, Boxes, FileCode, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import type { Span } from '#bytes/span.ts';
import type { TypeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { sourceOpener } from '#store/page/host.ts';
import type { ViewName } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';

type SelectButtonProps = {
  readonly selection: Selection;
  readonly view: ViewName;
  readonly icon?: LucideIcon;
  readonly disabled?: boolean;
  readonly children: ReactNode;
};

/** A small button that selects something and shows it in a view. */
export function SelectButton(props: SelectButtonProps) {
  const { selection, view, ...rest } = props;
  return <Button {...rest} size="small" onClick={() => select(selection, view)} />;
}

/** Shows bytes of the file; nothing where there are none. */
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

/** Shows a VAR or FUNC in Types; nothing where BTF has none. */
export function ShowType({ type }: { readonly type: TypeId | null }) {
  return type === null ? null : (
    <SelectButton selection={typeSelection(type)} view="types" icon={Boxes}>
      Show in Types
    </SelectButton>
  );
}

/** Opens the line of the source in the editor that shows the page; nothing elsewhere, and where there is no line. */
export function SourceButton({ line }: { readonly line: SourceLine | null }) {
  const open = sourceOpener();
  return open === undefined || line === null ? null : (
    <Button size="small" icon={FileCode} onClick={() => open(line)}>
      Open source
    </Button>
  );
}
