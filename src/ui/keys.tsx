/**
 * The one place that listens for keys of the page. A scope is a table of bindings:
 * `useKeys` binds it while a component is mounted, the dialog of keys prints it.
 */
import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import styles from './keys.module.css';

export type KeyBinding<Action extends string = string> = {
  readonly action: Action;
  /** Values of `KeyboardEvent.key`, letters in lower case; with Shift of `KeyboardEvent.code`. */
  readonly on: readonly string[];
  /** With Shift, which makes another sign of the key, by the layout of the keyboard. */
  readonly withShift?: boolean;
  /** With Ctrl or Command; then also in text fields and dialogs. */
  readonly withCommand?: boolean;
  /** Also in text fields and dialogs. */
  readonly whileTyping?: boolean;
  /** As printed. */
  readonly keys: readonly string[];
  readonly does: string;
};

/** The name of Ctrl on this machine. */
export const COMMAND_KEY = isApple() ? '⌘' : 'Ctrl';

function isApple(): boolean {
  return typeof navigator === 'object' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code' | 'shiftKey'>>;

/** The first binding that fits an event, or null. */
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
  // Where digits need Shift they are digits.
  if (plain !== undefined || !shiftKey || withCommand) return plain ?? null;
  return (
    bindings.find((binding) => binding.withShift === true && binding.on.includes(code)) ?? null
  );
}

const TEXT_FIELD = 'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select';

/** Does a key that is sent to `target` go into a text field? */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELD));
}

/** Is something typed there, or is a dialog in front of the page? */
function isBusy({ withCommand, whileTyping }: KeyBinding, target: EventTarget | null): boolean {
  if (withCommand === true || whileTyping === true) return false;
  return (
    isTyping(target) || (target instanceof Element && target.closest('[role="dialog"]') !== null)
  );
}

const ALWAYS = () => true;

/** Says whether keys are for the part of the page that is inside; several parts may bind the same. */
export const KeyScope = createContext(ALWAYS);

/** Binds keys while the component is mounted. `act` returns false where the key means nothing now. */
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

/** Hears every key of a window or document, with `capture` before the page does; returns what stops it. */
export function onKeyDown(
  target: Window | Document,
  press: (event: KeyboardEvent) => void,
  options: { readonly capture?: boolean } = {},
): () => void {
  const listener = (event: Event) => press(event as KeyboardEvent);
  target.addEventListener('keydown', listener, options);
  return () => target.removeEventListener('keydown', listener, options);
}

/** One key, as it is printed on the keyboard. */
export function Kbd({ children }: { readonly children: string }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}

/** Keys and what they do, a row for each. */
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

/** Keys that are typed before the field that they are meant for is there. */

export type TypedAhead = {
  readonly text: string;
  /** The key that ended it; null while none did. Keys behind it are dropped. */
  readonly end: 'Enter' | 'Escape' | null;
};

const NOTHING: TypedAhead = { text: '', end: null };

/**
 * Keeps what is typed from `start` until the field takes it, so that no other part of the page gets
 * these keys. A key that reaches a text field of a dialog is that field's: then it stops by itself.
 */
export class TypeAhead {
  #typed = NOTHING;
  #stop: (() => void) | null = null;

  start(): void {
    this.#typed = NOTHING;
    this.#stop ??= onKeyDown(window, (event) => this.#press(event), { capture: true });
  }

  /** What was typed so far; what is typed from now on goes where it is sent. */
  take(): TypedAhead {
    const typed = this.#typed;
    this.#stop?.();
    this.#stop = null;
    this.#typed = NOTHING;
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

/** `typed` with one more key; null where the key writes nothing. */
export function afterKey(typed: TypedAhead, key: string): TypedAhead | null {
  const isText = [...key].length === 1;
  if (!isText && key !== 'Backspace' && key !== 'Enter' && key !== 'Escape') return null;
  if (typed.end !== null) return typed;
  if (key === 'Enter' || key === 'Escape') return { ...typed, end: key };
  const characters = [...typed.text];
  return { ...typed, text: isText ? typed.text + key : characters.slice(0, -1).join('') };
}
