import { Check, Settings as SettingsIcon } from 'lucide-react';
import {
  BYTES_PER_ROW,
  changeSettings,
  NUMBER_BASES,
  type Settings,
  useSettings,
} from '#store/kept/settings.ts';
import { IconButton } from '#ui/Button.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { chooseTheme, THEMES, useTheme } from './theme.ts';

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

function choice(label: string, isChosen: boolean, onSelect: () => void): MenuItem {
  return { id: label, label, icon: isChosen ? <Check size={14} aria-hidden /> : null, onSelect };
}
