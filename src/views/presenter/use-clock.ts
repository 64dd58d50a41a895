import { useSyncExternalStore } from 'react';
import { elapsedText } from './elapsed-text.ts';

/** The time of day and how long the presentation lasts, as texts; draws again each second. */
export function useClock(startedAt: number): {
  readonly time: string;
  readonly sinceStart: string;
} {
  const now = useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000)) * 1000;
  return {
    time: new Date(now).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' }),
    sinceStart: elapsedText(now - startedAt),
  };
}

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
}
