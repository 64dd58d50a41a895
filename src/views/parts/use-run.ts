import { useEffect, useState } from 'react';
import type { Run } from '#bytes/long-work.ts';

/** Milliseconds of work while drawing: an ordinary file is through long before. */
const FIRST = 4;
/** Milliseconds of work before others get their turn. */
const SLICE = 12;

/** What comes of `run`, which goes on in slices between other tasks; null until it is done. Keep the identity of `run`. */
export function useRun<T>(run: Run<T>): T | null {
  const [, setDone] = useState<Run<T> | null>(null);
  run.advance(FIRST);
  const { result } = run;
  const isDone = result !== null;
  useEffect(() => {
    if (isDone) return;
    const goOn = () => {
      run.advance(SLICE);
      if (run.result === null) timer = setTimeout(goOn, 0);
      else setDone(run);
    };
    let timer = setTimeout(goOn, 0);
    return () => clearTimeout(timer);
  }, [run, isDone]);
  return result === null ? null : result.value;
}

/** As `useRun`, and while another run is under way what came of the one before. */
export function useLastRun<T>(run: Run<T>): T | null {
  const value = useRun(run);
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
