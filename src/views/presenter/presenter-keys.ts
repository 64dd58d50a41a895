/** Keys of the presentation. The dialog of keys lists them. */
import { bindingOf, type KeyBinding } from '#ui/keys.tsx';

export const PRESENTER_KEYS = [
  {
    action: 'next',
    on: ['PageDown', 'ArrowRight', 'ArrowDown', ' '],
    keys: ['→', '↓', 'Space', 'PageDown'],
    does: 'Next step; PageDown scrolls a long text first',
  },
  {
    action: 'previous',
    on: ['PageUp', 'ArrowLeft', 'ArrowUp'],
    keys: ['←', '↑', 'PageUp'],
    does: 'Previous step',
  },
  { action: 'spotlight', on: ['s'], keys: ['s'], does: 'Spotlight on what is selected' },
  { action: 'laser', on: ['l'], keys: ['l'], does: 'Laser pointer' },
  { action: 'blank', on: ['b', '.'], keys: ['b'], does: 'Dark screen on or off' },
  { action: 'notes', on: ['n'], keys: ['n'], does: 'Notes in a second window' },
  { action: 'larger', on: ['+', '='], keys: ['+'], does: 'Larger' },
  { action: 'smaller', on: ['-'], keys: ['-'], does: 'Smaller' },
  { action: 'fullScreen', on: ['f', 'F5'], keys: ['f'], does: 'Full screen on or off' },
  { action: 'keys', on: ['?'], keys: ['?'], does: 'Show these keys' },
  { action: 'end', on: ['Escape'], keys: ['Esc'], does: 'End the presentation' },
] as const satisfies readonly KeyBinding[];

export type PresenterAction = (typeof PRESENTER_KEYS)[number]['action'];

/** Kind of the focused element. Depending on it, the element needs some keys itself. */
export type Focus = 'page' | 'button' | 'arrows' | 'text' | 'dialog';

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Returns the action of a key, or null. PageDown and PageUp, which clickers send, always act. */
export function presenterAction(press: Press, focus: Focus): PresenterAction | null {
  const { key } = press;
  if (focus === 'dialog') return null;
  const action = bindingOf<PresenterAction>(press, PRESENTER_KEYS)?.action ?? null;
  if (key === 'PageDown' || key === 'PageUp') return action;
  if (focus === 'text') return null;
  if (focus === 'arrows' && (key.startsWith('Arrow') || key === ' ')) return null;
  if (focus === 'button' && key === ' ') return null;
  return action;
}

const TEXT = 'input:not([type="radio"], [type="checkbox"]), textarea, select';
const ARROWS =
  '[role="grid"], [role="listbox"], [role="tree"], [role="treegrid"], [role="tablist"], [role="radiogroup"], [role="menu"], [role="separator"], [role="application"], table[tabindex], input';

/** Returns the kind of the focused element. */
export function focusOf(target: EventTarget | null): Focus {
  if (!isElement(target)) return 'page';
  if (target.closest('[role="dialog"], [role="alertdialog"]') !== null) return 'dialog';
  if (target.matches(TEXT)) return 'text';
  if (target.closest(ARROWS) !== null) return 'arrows';
  return target.closest('button, a, summary') === null ? 'page' : 'button';
}

/** `instanceof` fails for elements of the notes window, which has its own classes. */
function isElement(target: EventTarget | null): target is Element {
  return target !== null && 'closest' in target && 'matches' in target;
}
