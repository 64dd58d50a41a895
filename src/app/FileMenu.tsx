import { Check, ChevronDown, Undo2 } from 'lucide-react';
import { drawnName } from '#bytes/text.ts';
import { reopenClosed } from '#store/address/open-files.ts';
import { activate } from '#store/session/panes.ts';
import type { FileId, OpenFile } from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';

type FileMenuProps = {
  readonly files: readonly OpenFile[];
  readonly activeId: FileId | null;
  /** Name of the file that was closed last. */
  readonly lastClosed: string | null;
};

/** Draws the menu of all open files. */
export function FileMenu({ files, activeId, lastClosed }: FileMenuProps) {
  const items = files.map(({ id, name }) => ({
    id: `${id}`,
    label: drawnName(name),
    icon: id === activeId ? <Check size={14} aria-hidden /> : null,
    onSelect: () => activate(id),
  }));
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`Open files: ${files.length}`} icon={ChevronDown} />}
      groups={lastClosed === null ? [items] : [items, [reopenItem(lastClosed)]]}
    />
  );
}

function reopenItem(name: string): MenuItem {
  return {
    id: 'reopen',
    label: `Reopen ${name}`,
    icon: <Undo2 size={14} aria-hidden />,
    onSelect: () => void reopenClosed(),
  };
}
