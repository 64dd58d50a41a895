import { useEffect, useState } from 'react';
import type { Problem } from '#analysis/workbench/parse.ts';

/** How long a pause in typing is before half a word counts as an error, in milliseconds. */
const PAUSE_MS = 350;

/** The problems to show: the first ones wait for a pause, and all go at once when they are mended. */
export function useSettled(problems: readonly Problem[]): readonly Problem[] {
  const [settled, setSettled] = useState(problems);
  const isHeldBack = settled.length === 0 && problems.length > 0;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(problems), isHeldBack ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [problems, isHeldBack]);
  return isHeldBack ? settled : problems;
}
