/** Keys of the page. `useKeys` binds a table of bindings while a component is mounted; the help lists it. */
import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import styles from './keys.module.css';

export type KeyBinding<Action extends string = string> = {
  readonly action: Action;
  /** Values of `KeyboardEvent.key` in lower case; with `withShift` of `KeyboardEvent.code`. */
  readonly on: readonly string[];
  /** With Shift, whose character depends on the keyboard layout. */
  readonly withShift?: boolean;
  /** With Ctrl or Command; then also in text fields and dialogs. */
  readonly withCommand?: boolean;
  /** Also in text fields and dialogs. */
  readonly whileTyping?: boolean;
  /** As printed. */
  readonly keys: readonly string[];
  readonly does: string;
};

/** Printed name of Ctrl on this machine. */
export const COMMAND_KEY = isApple() ? '⌘' : 'Ctrl';

function isApple(): boolean {
  return typeof navigator === 'object' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code' | 'shiftKey'>>;

/** Returns the first binding that matches an event, or null. */
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
  // On layouts whose digits need Shift, a digit is a digit.
  if (plain !== undefined || !shiftKey || withCommand) return plain ?? null;
  return (
    bindings.find((binding) => binding.withShift === true && binding.on.includes(code)) ?? null
  );
}

const TEXT_FIELD = 'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select';

/** Returns whether `target` is a text field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELD));
}

/** Returns whether a text field or a dialog takes the key. */
function isBusy({ withCommand, whileTyping }: KeyBinding, target: EventTarget | null): boolean {
  if (withCommand === true || whileTyping === true) return false;
  return (
    isTyping(target) || (target instanceof Element && target.closest('[role="dialog"]') !== null)
  );
}

const ALWAYS = () => true;

/** Returns whether keys are for this part of the page; several parts may bind the same keys. */
export const KeyScope = createContext(ALWAYS);

/** Binds keys while the component is mounted. `act` returns false if the key has no effect now. */
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

/** Listens to all keys of a window or document. Returns a function that stops it. */
export function onKeyDown(
  target: Window | Document,
  press: (event: KeyboardEvent) => void,
  options: { readonly capture?: boolean } = {},
): () => void {
  const listener = (event: Event) => press(event as KeyboardEvent);
  target.addEventListener('keydown', listener, options);
  return () => target.removeEventListener('keydown', listener, options);
}

/** Draws a key as printed on the keyboard. */
export function Kbd({ children }: { readonly children: string }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}

/** Draws keys and their effects, one per row. */
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

/** Keys typed before their field has loaded. */

export type TypedAhead = {
  readonly text: string;
  /** Key that ended the text; later keys are dropped. */
  readonly end: 'Enter' | 'Escape' | null;
};

const NO_KEYS: TypedAhead = { text: '', end: null };

/** Collects keys from `start` until the field takes them. Stops when a text field of a dialog gets a key. */
export class TypeAhead {
  #typed = NO_KEYS;
  #stop: (() => void) | null = null;

  start(): void {
    this.#typed = NO_KEYS;
    this.#stop ??= onKeyDown(window, (event) => this.#press(event), { capture: true });
  }

  /** Returns the collected keys and stops. */
  take(): TypedAhead {
    const typed = this.#typed;
    this.#stop?.();
    this.#stop = null;
    this.#typed = NO_KEYS;
    return typed;
  }

  #press(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (target instanceof HTMLInputElement && target.closest('[role="dialog"]') !== null) {
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

/** Returns `typed` with one more key; null for keys that write nothing. */
export function afterKey(typed: TypedAhead, key: string): TypedAhead | null {
  const isText = [...key].length === 1;
  if (!isText && key !== 'Backspace' && key !== 'Enter' && key !== 'Escape') return null;
  if (typed.end !== null) return typed;
  if (key === 'Enter' || key === 'Escape') return { ...typed, end: key };
  const characters = [...typed.text];
  return { ...typed, text: isText ? typed.text + key : characters.slice(0, -1).join('') };
}
