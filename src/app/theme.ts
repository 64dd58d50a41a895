/** Light, dark, or as the system says. Kept in the browser; `data-theme` on <html> carries it. */
import { Moon, Sun, SunMoon } from 'lucide-react';
import { create } from 'zustand';
import type { Embed } from '#store/session/session.ts';

export const THEMES = ['light', 'dark', 'system'] as const;
type Theme = (typeof THEMES)[number];

export const THEME_ICONS = { light: Sun, dark: Moon, system: SunMoon } as const;

const KEY = 'btfscope-theme';

/** The theme that was chosen last; storage may be forbidden, then it is the system's. */
function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: keptTheme() }));

/** Shows `theme` and keeps it. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Not kept, then: the page still shows it until it is closed.
  }
  useTheme.setState({ theme });
  applyTheme();
}

/** Puts the theme on the document: the one that the page around this one wants, else the chosen one. */
export function applyTheme(embed: Embed = false): void {
  const theme = typeof embed === 'string' ? embed : useTheme.getState().theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
