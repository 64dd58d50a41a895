/** Hints on hover and focus, which one layer draws from attributes of the elements. */
import { useEffect, useState } from 'react';
import { LazyPart, lazyComponent } from './LazyPart.tsx';

const HintPopup = lazyComponent(async () => (await import('./HintPopup.tsx')).HintPopup);

/** Returns the attributes of an element with a hint. `keys` are printed: `['Ctrl', 'K']`. */
export function hint(text: string, keys: readonly string[] = []) {
  return { 'data-hint': text, 'data-hint-keys': keys.join(' ') };
}

export type Hint = {
  readonly on: Element;
  readonly text: string;
  readonly keys: readonly string[];
};

/** Milliseconds from the arrival of the pointer on an element to the hint. */
const DELAY_MS = 400;
/** If a hint was visible less than this many milliseconds ago, the next hint appears at once. */
const WARM_MS = 400;

/** Draws the hint of the element under the pointer or with the focus. */
export function HintLayer() {
  const shown = useShownHint();
  return (
    <LazyPart isOpen={shown !== null} onError={() => undefined}>
      <HintPopup hint={shown} />
    </LazyPart>
  );
}

function useShownHint(): Hint | null {
  const [shown, setShown] = useState<Hint | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let on: Element | null = null;
    let isShown = false;
    let goneAt = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      on = null;
      if (isShown) goneAt = performance.now();
      isShown = false;
      setShown(null);
    };
    const show = (element: Element) => {
      on = element;
      isShown = true;
      setShown(hintOf(element));
    };
    /** Schedules the hint of another element; null hides the current hint. */
    const turnTo = (element: Element | null, delay: number) => {
      if (element === on) return;
      hide();
      if (element === null) return;
      on = element;
      const isWarm = performance.now() - goneAt < WARM_MS;
      timer = setTimeout(() => show(element), isWarm ? 0 : delay);
    };
    const listen = <T extends keyof DocumentEventMap>(
      type: T,
      act: (event: DocumentEventMap[T]) => void,
    ) =>
      document.addEventListener(type, act, { signal: stop.signal, capture: true, passive: true });
    listen('pointerover', ({ target, pointerType }) => {
      // A touch screen has no hover.
      if (pointerType !== 'touch') turnTo(hintedAt(target), DELAY_MS);
    });
    listen('focusin', ({ target }) => {
      const element = hintedAt(target);
      if (element?.matches(':focus-visible') === true) turnTo(element, 0);
    });
    listen('focusout', hide);
    listen('pointerdown', hide);
    listen('keydown', hide);
    listen('scroll', hide);
    document.documentElement.addEventListener('pointerleave', hide, { signal: stop.signal });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return shown;
}

function hintedAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-hint]') : null;
}

function hintOf(on: Element): Hint | null {
  const text = on.getAttribute('data-hint') ?? '';
  const keys = on.getAttribute('data-hint-keys') ?? '';
  if (text === '' || !on.isConnected) return null;
  return { on, text, keys: keys === '' ? [] : keys.split(' ') };
}
