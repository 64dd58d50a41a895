import { useEffect } from 'react';
import { stopPresenting } from '#store/lesson/presenter.ts';
import { onKeyDown } from '#ui/keys.ts';

/** A browser leaves the whole screen also for these: when a window opens, or by a key. Then the presentation goes on. */
const OTHER_REASONS = ['f', 'F5', 'F11', 'n'];
const MEANT_MS = 1500;

/** Ends the presentation when a person leaves the whole screen by Escape, which the browser keeps to itself. */
export function useFullScreenEnd(): void {
  useEffect(() => {
    let wasFull = document.fullscreenElement !== null;
    let lastReason = Number.NEGATIVE_INFINITY;
    const onPress = () => {
      lastReason = performance.now();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (OTHER_REASONS.includes(key)) onPress();
    };
    const onChange = () => {
      const isFull = document.fullscreenElement !== null;
      const hasOtherReason = performance.now() - lastReason < MEANT_MS || !document.hasFocus();
      if (wasFull && !isFull && !hasOtherReason) stopPresenting();
      wasFull = isFull;
    };
    const stopKeys = onKeyDown(document, onKey, { capture: true });
    document.addEventListener('pointerdown', onPress, { capture: true });
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      stopKeys();
      document.removeEventListener('pointerdown', onPress, { capture: true });
      document.removeEventListener('fullscreenchange', onChange);
    };
  }, []);
}
