import { useState } from 'react';
import type { Place } from './place-rows.ts';

/** The row that the arrow keys are on: it begins at the one that the way has taken, at each place anew. */
export function useRowChoice(place: Place): readonly [number | null, (row: number) => void] {
  const at = `${place.what} ${place.prefix} ${place.taken}`;
  const [choice, setChoice] = useState<{ readonly at: string; readonly row: number } | null>(null);
  const row = choice !== null && choice.at === at ? choice.row : place.taken;
  return [row, (next) => setChoice({ at, row: next })];
}
