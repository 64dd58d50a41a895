import { Moon, Sun, SunMoon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { IconButton } from '#ui/IconButton.tsx';
import { chooseTheme, chosenTheme, onTheme, type Theme } from './theme.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;
const WORDS: Readonly<Record<Theme, string>> = {
  system: 'as the system',
  light: 'light',
  dark: 'dark',
};

/** Goes round light, dark, and what the system says. */
export function ThemeButton() {
  const theme = useSyncExternalStore(onTheme, chosenTheme);
  const Icon = ICONS[theme];
  return (
    <IconButton
      label={`Theme: ${WORDS[theme]}`}
      icon={<Icon size={16} aria-hidden />}
      onClick={() => chooseTheme(NEXT[theme])}
    />
  );
}
