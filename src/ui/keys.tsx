/** Keys of the page. `useKeys` binds keys while a component is mounted. */
import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import styles from './keys.module.css';

/** Selects what a pane shows below its tabs, its bar or its switch: it takes the keyboard. */
export const PANE_BODY = ':is([role="tabpanel"], [data-pane-body])';

/** Excludes the elements of views that a pane keeps but does not show, and of their toolbars. */
export const IN_SIGHT = ':not([data-hidden="true"] *, [style*="display: none"] *)';

export type KeyBinding<Action extends string = string> = {
  readonly action: Action;
  /** Values of `KeyboardEvent.key` in lower case; if `withShift`, of `KeyboardEvent.code`. */
  readonly on: readonly string[];
  /** Whether the key needs Shift. Its character then depends on the layout of the keyboard. */
  readonly withShift?: boolean;
  /** Whether the key needs Ctrl or Command. Such a key also works in text fields and dialogs. */
  readonly withCommand?: boolean;
  /** Whether the key also works in text fields and dialogs. */
  readonly whileTyping?: boolean;
  /** Names of the keys as on a keyboard, for the help. */
  readonly keys: readonly string[];
  readonly does: string;
};

/** Name of the Ctrl key on this machine. */
export const COMMAND_KEY = isApple() ? '⌘' : 'Ctrl';

function isApple(): boolean {
  return typeof navigator === 'object' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code' | 'shiftKey'>>;

/** Returns the first binding that matches an event; null if none matches. */
export function bindingOf<Action extends string>(
  { key, ctrlKey, metaKey, altKey, code = '', shiftKey = false }: Press,
  bindings: readonly KeyBinding<Action>[],
): KeyBinding<Action> | null {
  const withCommand = ctrlKey || metaKey;
  const name = withCommand ? key.toLowerCase() : key;
  if (altKey) return null;
  const plain = bindings.find(
    (binding) =>
      binding.withShift !== true &&
      (binding.withCommand ?? false) === withCommand &&
      binding.on.includes(name),
  );
  // If a layout needs Shift to type a digit, Shift does not count as pressed.
  if (plain !== undefined || !shiftKey || withCommand) return plain ?? null;
  return (
    bindings.find((binding) => binding.withShift === true && binding.on.includes(code)) ?? null
  );
}

const TEXT_FIELD = 'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select';

/** Returns true if `target` is a text field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELD));
}

/** Returns true if a text field or a dialog should get the key instead of the binding. */
function isBusy({ withCommand, whileTyping }: KeyBinding, target: EventTarget | null): boolean {
  if (withCommand === true || whileTyping === true) return false;
  return (
    isTyping(target) || (target instanceof Element && target.closest('[role="dialog"]') !== null)
  );
}

const ALWAYS = () => true;

/** Returns true if a part of the page should handle keys: two panes can bind the same keys. */
export const KeyScope = createContext(ALWAYS);

/** Binds keys while the component is mounted. `act` returns false if a key has no effect now. */
export function useKeys<Action extends string>(
  bindings: readonly KeyBinding<Action>[],
  act: (action: Action, event: KeyboardEvent) => boolean,
): void {
  const isHere = useContext(KeyScope);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isHere()) return;
    const binding = bindingOf(event, bindings);
    if (binding === null || isBusy(binding, event.target)) return;
    if (act(binding.action, event)) event.preventDefault();
  });
  useEffect(() => onKeyDown(document, press), []);
}

/** Listens to all keys of a window or document. Returns a function that stops listening. */
export function onKeyDown(
  target: Window | Document,
  press: (event: KeyboardEvent) => void,
  options: { readonly capture?: boolean } = {},
): () => void {
  const listener = (event: Event) => press(event as KeyboardEvent);
  target.addEventListener('keydown', listener, options);
  return () => target.removeEventListener('keydown', listener, options);
}

/** Draws the name of a key as a keyboard shows it. */
export function Kbd({ children }: { readonly children: string }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}

/** Draws a table of keys with their effects. */
export function KeyTable(props: { readonly rows: readonly Pick<KeyBinding, 'keys' | 'does'>[] }) {
  const { rows } = props;
  return (
    <dl className="grid gap-2">
      {rows.map(({ keys, does }) => (
        <div key={`${keys.join(' ')} ${does}`} className={styles.row}>
          <dt className="wrapping gap-1">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Keys that the user typed before the text field had loaded. */

export type TypedAhead = {
  readonly text: string;
  /** Enter or Escape, after which keys are ignored; null if neither was typed. */
  readonly end: 'Enter' | 'Escape' | null;
};

const NO_KEYS: TypedAhead = { text: '', end: null };

/** Collects typed keys from `start` to `take`. Stops when a text field of `within` gets a key. */
export class TypeAhead {
  readonly #within: string;
  #typed = NO_KEYS;
  #stop: (() => void) | null = null;

  constructor(within: string) {
    this.#within = within;
  }

  /** Starts with the keys that were typed before. */
  start(typed = NO_KEYS): void {
    this.#typed = typed;
    this.#stop ??= onKeyDown(window, (event) => this.#press(event), { capture: true });
  }

  /** Returns the collected keys and stops collecting. */
  take(): TypedAhead {
    const typed = this.#typed;
    this.#stop?.();
    this.#stop = null;
    this.#typed = NO_KEYS;
    return typed;
  }

  #press(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (isTyping(target) && (target as Element).closest(this.#within) !== null) {
      this.take();
      return;
    }
    if (ctrlKey || metaKey || altKey) return;
    const typed = afterKey(this.#typed, key);
    if (typed === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#typed = typed;
  }
}

/** Types keys into a text field, in place of its text. */
export function typeInto(field: Element | null, { text, end }: TypedAhead): void {
  if (!(field instanceof HTMLInputElement)) return;
  if (text !== '') {
    field.setRangeText(text, 0, field.value.length, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (end !== null) field.dispatchEvent(new KeyboardEvent('keydown', { key: end, bubbles: true }));
}

/** Returns `typed` with one more key. Returns null for keys that do not change a text. */
export function afterKey(typed: TypedAhead, key: string): TypedAhead | null {
  const isText = [...key].length === 1;
  if (!isText && key !== 'Backspace' && key !== 'Enter' && key !== 'Escape') return null;
  if (typed.end !== null) return typed;
  if (key === 'Enter' || key === 'Escape') return { ...typed, end: key };
  const characters = [...typed.text];
  return { ...typed, text: isText ? typed.text + key : characters.slice(0, -1).join('') };
}
