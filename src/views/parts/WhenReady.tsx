import { type ReactNode, useEffect, useState } from 'react';
import type { Run } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { countOf } from './number-text.ts';

type WhenReadyProps<T> = {
  readonly model: ObjectModel;
  readonly run: Run<T>;
  readonly children: (value: T) => ReactNode;
};

/** Draws the result of `run`: at once, unless the file has very many sections or symbols. */
export function WhenReady<T>({ model, run, children }: WhenReadyProps<T>) {
  const value = useRun(run);
  if (value !== null) return children(value);
  const counts = [
    countOf(sectionCount(model.sections), 'section'),
    countOf(model.symbols.count, 'symbol'),
  ];
  return <EmptyState title="One moment" text={`Reading ${counts.join(' and ')}…`} />;
}

/** Milliseconds of work while the view is drawn; enough for an ordinary file. */
const FIRST = 4;
/** Milliseconds of work in each later slice. */
const SLICE = 12;

/** Returns the result of `run`, computed in slices; null until done. A new `run` starts anew. */
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

/** Returns the result of `run`. Until it is computed, returns the result of the previous `run`. */
export function useLastRun<T>(run: Run<T>): T | null {
  const value = useRun(run);
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
