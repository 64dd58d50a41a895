import { useEffect, useEffectEvent } from 'react';
import { showView } from '#store/navigation.ts';
import { VIEW_TITLES, VIEWS } from '#store/session.ts';

type Keys = { readonly onOpen: () => void; readonly onHelp: () => void };

/** Keys of one stroke, and what they do, as the help shows them. */
export const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['1', '…', '9', '0'], `Go to a tab: ${VIEWS.map((view) => VIEW_TITLES[view]).join(', ')}`],
  [['/'], 'Go to the filter of the view'],
  [['f'], 'Find in the bytes'],
  [['o'], 'Open a file'],
  [['?'], 'Show these keys'],
  [['↑', '↓'], 'Move in a list; PageUp, PageDown, Home and End too'],
  [['←', '→'], 'Move in an access string, between tabs, along the bytes'],
  [['Enter'], 'Follow what is selected'],
  [['Alt', '←'], 'Back to where you were; Alt → forward again'],
  [['Esc'], 'Empty a filter, close a dialog'],
];

/** Listens for the keys that work anywhere but in a text field. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) return;
    if (!act(event.key, keys)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function act(key: string, keys: Keys): boolean {
  // As on a keyboard, 0 comes after 9.
  const view = /^\d$/.test(key) ? VIEWS[(Number(key) + 9) % 10] : undefined;
  if (view !== undefined) showView(view);
  else if (key === '/') return focusFilter();
  else if (key === 'o') keys.onOpen();
  else if (key === '?') keys.onHelp();
  else return false;
  return true;
}

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('main input[type="search"]');
  filter?.focus();
  filter?.select();
  return filter !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select',
      ))
  );
}
