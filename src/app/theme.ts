/** Light, dark, or as the system says. Kept in the browser; `data-theme` on <html> carries it. */

import { Moon, Sun, SunMoon } from 'lucide-react';

export const THEMES = ['light', 'dark', 'system'] as const;
type Theme = (typeof THEMES)[number];

export const THEME_ICONS = { light: Sun, dark: Moon, system: SunMoon } as const;

const KEY = 'btfscope-theme';

/** The theme that was chosen last; storage may be forbidden, then it is the system's. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

/** Shows `theme` and keeps it. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Not kept, then: the page still shows it until it is closed.
  }
  applyTheme(theme);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls `listener` whenever another theme is chosen. Gives back what stops it. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Puts the theme on the document. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
