/** Places of a lesson's steps: address, file and selection; and the pins of the callouts. */

import { coreRecord } from '#analysis/core/core-records.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { visible } from '#bytes/text.ts';
import type { Callout, Lesson } from '#lessons/lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection, sameSelection } from '#model/selection.ts';
import { type Address, NO_TARGET, parseAddress } from '#store/address/address.ts';
import { fileOfKey } from '#store/address/file-keys.ts';
import { select } from '#store/address/navigation.ts';
import {
  parseParams,
  resolveSelection,
  type SelectionParams,
} from '#store/address/selection-keys.ts';
import { otherPane } from '#store/session/panes.ts';
import { type Pin, setCalloutPins } from '#store/session/pins.ts';
import {
  activeFile,
  activeFileNow,
  modelOf,
  type Session,
  session,
} from '#store/session/session.ts';
import { holdsViewState } from '#store/session/view-state.ts';
import { viewFor, viewForFile } from '#store/session/views.ts';
import { type OpenLesson, stepNow, useLesson } from './lesson-state.ts';

export type StepPlace = {
  /** Key of the step's file, as in `file=`; empty if the lesson has no file. */
  readonly file: string;
  readonly address: Address;
};

/** Parts of an open lesson that decide the places of its steps. */
export type PlacedLesson = Pick<OpenLesson, 'lesson' | 'linked'>;

/** Returns the place in the step's `show`, else in the `show` of the nearest earlier step. */
export function placeOfStep(open: PlacedLesson, stepIndex: number): StepPlace {
  const { lesson } = open;
  const show = (lesson === null ? null : showOf(lesson, stepIndex)) ?? 'overview';
  const place = placeOf(open, parseAddress(`#/${show}`));
  return isValueHidden(open, stepIndex, place.address) || leavesTarget(open, stepIndex, place)
    ? { ...place, address: { ...place.address, target: NO_TARGET } }
    : place;
}

/** Returns true if CO-RE would show the place on the target of an earlier step. */
function leavesTarget(
  { lesson }: PlacedLesson,
  stepIndex: number,
  { address }: StepPlace,
): boolean {
  if (address.view !== 'core' || address.target !== '') return false;
  return (lesson?.steps ?? [])
    .slice(0, stepIndex)
    .some(({ show }) => show !== null && parseAddress(`#/${show}`).target !== '');
}

/** Returns true if the page must hide the target: the step's question asks for its value. */
export function isValueHidden(
  { lesson }: PlacedLesson,
  stepIndex: number,
  { view, target }: Address,
): boolean {
  const asks = lesson?.steps[stepIndex]?.question?.kind;
  return asks === 'value' && view === 'core' && (target === '' || target === NO_TARGET);
}

/** Returns the place of an address in the lesson's text. The step's file is the default. */
export function placeInStep(open: OpenLesson, hash: string): StepPlace {
  const place = placeOf(open, parseAddress(hash));
  return place.address.file === ''
    ? { ...place, file: placeOfStep(open, open.stepIndex).file }
    : place;
}

function placeOf(open: PlacedLesson, address: Address): StepPlace {
  return { file: address.file || objectKey(open), address };
}

/** Returns true for `link` and `own`: the link or the learner chooses the lesson's file. */
export function isOpenObject(object: string): boolean {
  return object === 'link' || object === 'own';
}

export function objectKey({ lesson, linked }: PlacedLesson): string {
  const object = lesson?.object ?? '';
  return isOpenObject(object) ? linked : object;
}

function showOf({ steps }: Lesson, stepIndex: number): string | null {
  for (let i = stepIndex; i >= 0; i--) {
    const show = steps[i]?.show ?? null;
    if (show !== null) return show;
  }
  return null;
}

/** Returns true if the page does not show the step's place. Compares the parts in its address. */
export function isElsewhere(state: Session, { file: key, address }: StepPlace): boolean {
  const file = activeFile(state);
  if (file === null || file !== fileOfKey(key, state)) return true;
  if (file.status.step === 'log') {
    const view = viewForFile(file, address.view);
    return file.view !== view || !holdsViewState(file, view, address.viewParams);
  }
  if (file.status.step !== 'ready') return false;
  const { model } = file.status;
  const view = viewFor(model, address.view);
  if (file.view !== view && otherPane(state)?.view !== view) return true;
  if (!sameSelection(file.selection, selectionOf(model, address.params))) return true;
  return !holdsViewState(file, view, address.viewParams);
}

/** Returns the selection of a place such as `bytes=.BTF@0x0-0x2`; no selection if it is missing. */
export function selectionAt(model: ObjectModel, words: string): Selection {
  return selectionOf(model, parseParams(words));
}

// Cached: finding a type by name visits all types, and the page needs a step's place often.
const selectionsOf = memoized((_: ObjectModel) => new Map<string, Selection>());

/** Returns the selection of address parameters; no selection if the file lacks the place. */
export function selectionOf(model: ObjectModel, params: SelectionParams): Selection {
  if (params.size === 0) return NO_SELECTION;
  const words = JSON.stringify([...params]);
  return getOrCreate(selectionsOf(model), words, () => resolveSelection(model, params).selection);
}

const NO_CALLOUTS: readonly Callout[] = [];

/** Number of the callout that the pointer is on; null for none. */
let lit: number | null = null;
/** State from which the pins were computed, to notice changes. */
let made: readonly unknown[] = [];

/** Highlights a pin by number; null highlights none. */
export function lightCallout(number: number | null): void {
  lit = number;
  updatePins();
}

/** Updates the pins when the step or its file changes. Never stops. */
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

/** Returns the pins of the callouts whose places exist in the model. */
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

/** Selects the next or previous index of the selected access string. Returns false if it cannot. */
export function stepAccess(by: 1 | -1): boolean {
  const file = activeFileNow();
  const model = modelOf(file);
  if (file === null || model === null || file.view !== 'core') return false;
  const { selection } = file;
  if (selection.kind !== 'core') return false;
  const count = coreRecord(model, selection.core).accessStr.split(':').length;
  const step = (selection.step ?? count - 1) + by;
  if (step < 0 || step >= count) return false;
  select({ ...selection, step });
  return true;
}
