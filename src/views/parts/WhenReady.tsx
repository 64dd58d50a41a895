import type { ReactNode } from 'react';
import type { Run } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { countOf } from './number-text.ts';
import { useRun } from './use-run.ts';

type WhenReadyProps<T> = {
  readonly model: ObjectModel;
  readonly run: Run<T>;
  readonly children: (value: T) => ReactNode;
};

/** Draws what comes of `run` once that is done: at once, but for a file of very many sections or symbols. */
export function WhenReady<T>({ model, run, children }: WhenReadyProps<T>) {
  const value = useRun(run);
  if (value !== null) return children(value);
  const counts = [
    countOf(sectionCount(model.sections), 'section'),
    countOf(model.symbols.count, 'symbol'),
  ];
  return <EmptyState title="One moment" text={`Reading ${counts.join(' and ')}…`} />;
}
