import { useEffect, useEffectEvent } from 'react';
import { stepLesson } from '#store/lesson/start-lesson.ts';
import { showView } from '#store/navigation.ts';
import { activeFile, session } from '#store/session.ts';
import { viewsOf } from '#store/views-of.ts';
import { BINDINGS, DIGITS, type KeyAction, type KeyBinding } from './keys.ts';

/** What the page does when it is told of a key. */
type Keys = {
  readonly onFind: () => void;
  readonly onOpen: () => void;
  readonly onHelp: () => void;
};

/** Listens for the keys that work everywhere: those of one stroke in all places but a text field. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.defaultPrevented) return;
    const binding = bindingOf(event);
    if (binding === null || (!binding.withCommand && isBusy(event.target))) return;
    if (!act(binding.action, event.key, keys)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The binding that an event means, or null. */
export function bindingOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
): KeyBinding | null {
  const withCommand = event.ctrlKey || event.metaKey;
  const key = withCommand ? event.key.toLowerCase() : event.key;
  return (
    BINDINGS.find((binding) => binding.withCommand === withCommand && binding.on.includes(key)) ??
    null
  );
}

function act(action: KeyAction, key: string, keys: Keys): boolean {
  switch (action) {
    case 'find':
      keys.onFind();
      return true;
    case 'view':
      return goToDigit(key);
    case 'filter':
      return focusFilter();
    case 'open':
      keys.onOpen();
      return true;
    case 'back':
      if (!stepLesson(-1)) history.back();
      return true;
    case 'forward':
      if (!stepLesson(1)) history.forward();
      return true;
    case 'help':
      keys.onHelp();
      return true;
  }
}

function goToDigit(key: string): boolean {
  const file = activeFile(session.getState());
  if (file?.status.step !== 'ready') return false;
  const view = viewsOf(file.status.model)[DIGITS.indexOf(key)];
  if (view !== undefined) showView(view);
  return view !== undefined;
}

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('main input[type="search"]');
  filter?.focus();
  filter?.select();
  return filter !== null;
}

/** Is something typed there, or is a dialog in front of the page? */
function isBusy(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('[role="dialog"]') !== null ||
      target.matches(
        'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select',
      ))
  );
}
