/** The callouts of the step as pins on the file that is looked at: numbers, and what each is pinned to. */
import { useMemo } from 'react';
import { create } from 'zustand';
import { selectionSpan } from '#analysis/code/selection.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import type { Callout } from '#lessons/lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { type FileId, fileById, useSession } from '#store/session.ts';
import { stepNow, useLesson } from './lesson-state.ts';
import { fileOfKey, placeOfStep, selectionAt } from './step-place.ts';

export type Pin = {
  /** As it is shown, from 1. */
  readonly number: number;
  /** What the callout says; visible text, its code between back ticks. */
  readonly text: string;
  readonly selection: Selection;
  /** File bytes; null where what it is pinned to has none. */
  readonly span: Span | null;
  /** Is its callout pointed at? */
  readonly isLit: boolean;
};

const NO_PINS: readonly Pin[] = [];

const usePeek = create<{ readonly number: number | null }>(() => ({ number: null }));

/** Lights the pin of this number, while its callout is pointed at; null lights none. */
export function peekPin(number: number | null): void {
  usePeek.setState({ number });
}

/** The pins of the step on the file of this id: none while no lesson is open, or its step is about another file. */
export function usePins(id: FileId): readonly Pin[] {
  const model = useSession((state) => {
    const status = fileById(state, id)?.status;
    return status?.step === 'ready' ? status.model : null;
  });
  const callouts = useLesson((state) => stepNow(state)?.callouts ?? null);
  const fileKey = useLesson(({ open }) =>
    open === null ? '' : placeOfStep(open, open.stepIndex).file,
  );
  const isHere = useSession((state) => fileOfKey(state, fileKey)?.id === id);
  const lit = usePeek((state) => state.number);
  return useMemo(
    () => (isHere && model !== null && callouts !== null ? pinsOf(model, callouts, lit) : NO_PINS),
    [isHere, callouts, model, lit],
  );
}

/** The pins of `callouts` on a model; what it does not have gets no pin. */
export function pinsOf(
  model: ObjectModel,
  callouts: readonly Callout[],
  lit: number | null,
): readonly Pin[] {
  if (callouts.length === 0) return NO_PINS;
  return callouts.flatMap(({ at, text }, index): Pin[] => {
    const selection = selectionAt(model, at);
    if (selection.kind === 'none') return [];
    const number = index + 1;
    const span = selectionSpan(model, selection);
    return [
      {
        number,
        text: visible(text.replaceAll(/\s+/g, ' ')),
        selection,
        span,
        isLit: number === lit,
      },
    ];
  });
}
