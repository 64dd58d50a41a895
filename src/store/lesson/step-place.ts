/** Where a step of a lesson happens: the address that it shows, the file, what is selected there. */
import { keptIn, oncePer } from '#bytes/keep.ts';
import type { Lesson } from '#lessons/lesson.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NOTHING, type Selection, sameSelection } from '#model/selection.ts';
import { fileOfKey } from '#store/address/file-keys.ts';
import { type Address, NO_TARGET, parseAddress } from '#store/address/location.ts';
import { besideNow } from '#store/session/panes.ts';
import { resolveSelection } from '#store/session/selection-keys.ts';
import { activeFile, type Session } from '#store/session/session.ts';
import { holdsViewState } from '#store/session/view-state.ts';
import { viewFor } from '#store/session/views.ts';
import type { OpenLesson } from './lesson-state.ts';

export type StepPlace = {
  /** Key of the file, as behind `file=`; empty where the lesson names none. */
  readonly file: string;
  /** Behind `#`. */
  readonly hash: string;
};

/** What the places of a lesson's steps depend on: not where somebody is in it. */
export type PlacedLesson = Pick<OpenLesson, 'lesson' | 'linked'>;

/** What the tool shows in the step of this number: what the step says, or the nearest one before that says something. */
export function placeOfStep(open: PlacedLesson, stepIndex: number): StepPlace {
  const { lesson } = open;
  const show = (lesson === null ? null : showOf(lesson, stepIndex)) ?? 'overview';
  const place = placeOf(open, show);
  return isValueHidden(open, stepIndex, place.hash) ? placeOf(open, withoutTarget(show)) : place;
}

/**
 * Does the step ask for what becomes of a CO-RE record in a place that names no target? Left alone,
 * the tab compares with an open kernel, and shows the answer.
 */
export function isValueHidden({ lesson }: PlacedLesson, stepIndex: number, hash: string): boolean {
  const { view, target } = parseAddress(hash);
  const asks = lesson?.steps[stepIndex]?.question?.kind;
  return asks === 'value' && view === 'core' && (target === '' || target === NO_TARGET);
}

function withoutTarget(show: string): string {
  return `${show}${show.includes('?') ? '&' : '?'}target=${NO_TARGET}`;
}

/** The place that an address in the lesson names, in the file of the step when it names none. */
export function placeInStep(open: OpenLesson, hash: string): StepPlace {
  const place = placeOf(open, hash.replace(/^#?\/?/, ''));
  const own = parseAddress(place.hash).file;
  return own === '' ? { ...place, file: placeOfStep(open, open.stepIndex).file } : place;
}

function placeOf(open: PlacedLesson, show: string): StepPlace {
  const hash = `#/${show}`;
  return { file: parseAddress(hash).file || objectKey(open), hash };
}

/** Does the text of a lesson leave its file to the link, or to the learner? */
export function isOpenObject(object: string): boolean {
  return object === 'link' || object === 'own';
}

/** The file that the lesson is about, as behind `file=`. */
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

/** Does the tool show another place than the step's? Looks at what the step's address says, and at no more. */
export function isElsewhere(state: Session, place: StepPlace): boolean {
  const file = activeFile(state);
  if (file === null || file !== fileOfKey(place.file, state)) return true;
  if (file.status.step !== 'ready') return false;
  const { model } = file.status;
  const address = parseAddress(place.hash);
  const view = viewFor(model, address.view);
  if (file.view !== view && besideNow(state)?.view !== view) return true;
  if (!sameSelection(file.selection, selectionOf(model, address))) return true;
  return !holdsViewState(file, view, address.viewParams);
}

/** What is selected by the words of a place, such as `bytes=.BTF@0x0-0x2`; nothing where the file has no such thing. */
export function selectionAt(model: ObjectModel, words: string): Selection {
  return selectionOf(model, parseAddress(`#/?${words}`));
}

// Finding a type by its name walks over all types; a step asks for the same place again and again.
const found = oncePer((_: ObjectModel) => new Map<string, Selection>());

function selectionOf(model: ObjectModel, { params }: Address): Selection {
  if (params.size === 0) return NOTHING;
  const words = JSON.stringify([...params]);
  return keptIn(found(model), words, () => resolveSelection(model, params).selection);
}
