/** The callouts of the step as pins on its file. */
import { selectionSpan } from '#analysis/selection/selection.ts';
import { visible } from '#bytes/text.ts';
import type { Callout } from '#lessons/lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { fileOfKey } from '#store/address/file-keys.ts';
import { type Pin, setPins } from '#store/session/pins.ts';
import { modelOf, session } from '#store/session/session.ts';
import { stepNow, useLesson } from './lesson-state.ts';
import { placeOfStep, selectionAt } from './step-place.ts';

const NO_CALLOUTS: readonly Callout[] = [];

/** The callout that is pointed at. */
let lit: number | null = null;
/** What the pins were made of last. */
let made: readonly unknown[] = [];

/** Lights the pin of this number, while its callout is pointed at; null lights none. */
export function peekPin(number: number | null): void {
  lit = number;
  updatePins();
}

/** Keeps the pins as the step's callouts and its file are, as long as the page lives. */
export function keepPins(): void {
  useLesson.subscribe(updatePins);
  session.subscribe(updatePins);
}

function updatePins(): void {
  const { open } = useLesson.getState();
  const callouts = stepNow({ open })?.callouts ?? NO_CALLOUTS;
  const key = open === null ? '' : placeOfStep(open, open.stepIndex).file;
  const file = fileOfKey(key);
  const model = modelOf(file);
  const now = [file?.id, model, callouts, lit];
  if (now.every((part, i) => part === made[i])) return;
  made = now;
  if (file === null || model === null) setPins(null);
  else setPins(file.id, pinsOf(model, callouts, lit));
}

/** The pins of `callouts` on a model; what it does not have gets no pin. */
export function pinsOf(
  model: ObjectModel,
  callouts: readonly Callout[],
  lit: number | null,
): readonly Pin[] {
  return callouts.flatMap(({ at, text }, index): Pin[] => {
    const selection = selectionAt(model, at);
    if (selection.kind === 'none') return [];
    const number = index + 1;
    const span = selectionSpan(model, selection);
    const line = visible(text.replaceAll(/\s+/g, ' '));
    return [{ number, text: line, selection, span, isLit: number === lit }];
  });
}
