/** Keys that are typed before the field that they are meant for is there. */
import { onKeyDown } from './keys.ts';

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
