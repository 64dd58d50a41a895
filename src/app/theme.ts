/** Theme of the page, as `data-theme` of <html>: light, dark or the system's. */
import { Moon, Sun, SunMoon } from 'lucide-react';
import { create } from 'zustand';
import { kept } from '#store/kept/local-storage.ts';
import type { Embed } from '#store/session/session.ts';

export const THEMES = ['light', 'dark', 'system'] as const;
type Theme = (typeof THEMES)[number];

export const THEME_ICONS = { light: Sun, dark: Moon, system: SunMoon } as const;

const keptTheme = kept<Theme>('btfscope-theme', {
  parse: (json) => THEMES.find((theme) => theme === json) ?? 'system',
  format: (theme) => (theme === 'system' ? undefined : theme),
});

export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: keptTheme.read() }));

/** Applies `theme` and stores it in the browser. */
export function chooseTheme(theme: Theme): void {
  keptTheme.write(theme);
  useTheme.setState({ theme });
  applyTheme();
}

/** Applies the theme that the address requests, else the stored one. */
export function applyTheme(embed: Embed = false): void {
  const theme = typeof embed === 'string' ? embed : useTheme.getState().theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
