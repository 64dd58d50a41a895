/** Callouts of the step as pins on its file. */
import { selectionSpan } from '#analysis/selection/selection.ts';
import { visible } from '#bytes/text.ts';
import type { Callout } from '#lessons/lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { fileOfKey } from '#store/address/file-keys.ts';
import { type Pin, setCalloutPins } from '#store/session/pins.ts';
import { modelOf, session } from '#store/session/session.ts';
import { stepNow, useLesson } from './lesson-state.ts';
import { placeOfStep, selectionAt } from './step-place.ts';

const NO_CALLOUTS: readonly Callout[] = [];

/** Number of the callout under the pointer. */
let lit: number | null = null;
/** Inputs of the last update. */
let made: readonly unknown[] = [];

/** Highlights a pin by number; null highlights none. */
export function lightCallout(number: number | null): void {
  lit = number;
  updatePins();
}

/** Updates the pins whenever the step or its file changes, for the life of the page. */
export function keepCalloutPins(): void {
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
  if (file === null || model === null) setCalloutPins(null);
  else setCalloutPins(file.id, calloutPins(model, callouts, lit));
}

/** Returns the pins of callouts whose place the model has. */
export function calloutPins(
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
