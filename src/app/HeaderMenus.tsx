import { ChevronDown, Settings as SettingsIcon, Undo2 } from 'lucide-react';
import { drawnName } from '#bytes/text.ts';
import { switchFile } from '#store/address/navigation.ts';
import { reopenClosed } from '#store/address/open-files.ts';
import {
  BYTES_PER_ROW,
  changeSettings,
  NUMBER_BASES,
  type Settings,
  useSettings,
} from '#store/kept/settings.ts';
import type { FileId, OpenFile } from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { chooseTheme, THEMES, useTheme } from './theme.ts';

type FileMenuProps = {
  readonly files: readonly OpenFile[];
  readonly activeId: FileId | null;
  /** Name of the file that was closed last; null if no file was closed. */
  readonly lastClosed: string | null;
};

export function FileMenu({ files, activeId, lastClosed }: FileMenuProps) {
  const items = files.map(({ id, name }) => ({
    id: `${id}`,
    label: drawnName(name),
    isChecked: id === activeId,
    onSelect: () => switchFile(id),
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

const ROWS: Readonly<Record<Settings['bytesPerRow'], string>> = {
  fit: 'as many as fit',
  '8': '8',
  '16': '16',
  '32': '32',
};

/** Draws the menu of settings: theme, bytes per row, number base. */
export function SettingsMenu() {
  const theme = useTheme((state) => state.theme);
  const { bytesPerRow, numbers } = useSettings();
  return (
    <Menu
      align="end"
      trigger={<IconButton label="Settings" icon={SettingsIcon} />}
      groups={[
        THEMES.map((one) => choice(`Theme: ${one}`, one === theme, () => chooseTheme(one))),
        BYTES_PER_ROW.map((one) =>
          choice(`Bytes per row: ${ROWS[one]}`, one === bytesPerRow, () =>
            changeSettings({ bytesPerRow: one }),
          ),
        ),
        NUMBER_BASES.map((one) =>
          choice(`Offsets and numbers in code: ${one}`, one === numbers, () =>
            changeSettings({ numbers: one }),
          ),
        ),
      ]}
    />
  );
}

function choice(label: string, isChecked: boolean, onSelect: () => void): MenuItem {
  return { id: label, label, isChecked, onSelect };
}
