/** Writing a lesson: its drafts, what is put into its text, and links that carry it. */
import { isInsnStart } from '#analysis/code/insn-starts.ts';
import { textKey } from '#analysis/links/carried-text.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { keptIn } from '#bytes/keep.ts';
import { givenAway } from '#lessons/answer-in-text.ts';
import { block, newLesson, withObject } from '#lessons/compose.ts';
import type { Lesson, LessonProblem, PlaceText, Question, Step } from '#lessons/lesson.ts';
import { MAX_LESSON } from '#lessons/read-lesson.ts';
import { rightAnswer } from '#lessons/right-answer.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sameSelection } from '#model/selection.ts';
import { fileOfKey, keyOf } from '#store/address/file-keys.ts';
import { formatAddress, parseAddress } from '#store/address/location.ts';
import { addressContext } from '#store/address/navigation.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { clientOf } from '#store/session/files.ts';
import { formatSelection, resolveSelection } from '#store/session/selection-keys.ts';
import {
  activeFile,
  announce,
  modelOf,
  type OpenFile,
  type Session,
  session,
} from '#store/session/session.ts';
import { draftText, forgetDraft, isDraft, keepDraft, newDraftKey } from './drafts.ts';
import { goToStep, openLesson, setLessonText } from './lesson-player.ts';
import { CARRIED_LESSON } from './lesson-source.ts';
import { closeLesson, type OpenLesson, patchLesson, stepNow, useLesson } from './lesson-state.ts';
import { objectKey, placeOfStep, selectionAt } from './step-place.ts';

/** Begins a new lesson about the file that is looked at. */
export async function writeNewLesson(): Promise<void> {
  const file = activeFile(session.getState());
  const key = file === null ? null : keyOf(file);
  const place = file === null ? null : placeText(file, key ?? '');
  const text = newLesson(key ?? 'sample:kinds.btf', place ?? 'bytes?bytes=.BTF@0x0-0x2');
  await openDraft(newDraftKey(), text);
}

/** Goes on with a draft. */
export async function continueDraft(key: string): Promise<void> {
  const text = draftText(key);
  if (text !== null) await openDraft(key, text);
}

/** Changes the open lesson: a draft itself, of any other a copy. */
export function editOpenLesson(): void {
  const { open } = useLesson.getState();
  if (open === null) return;
  if (!isDraft(open.key)) {
    const key = newDraftKey();
    keepDraft(key, open.text);
    patchLesson({ key });
  }
  useLesson.setState({ isEditing: true });
}

/** Opens a lesson that was dropped. It stays as it is until somebody edits it. */
export async function openDropped(file: File): Promise<void> {
  // A byte of UTF-8 is a third of a character at least.
  if (file.size > 3 * MAX_LESSON) {
    announce(`${file.name} is too long for a lesson`);
    return;
  }
  const text = await file.text();
  const carried = await textKey(CARRIED_LESSON, text);
  if (carried !== null) {
    await openLesson(carried, null);
    return;
  }
  const key = newDraftKey();
  keepDraft(key, text);
  await openLesson(key, null);
}

/** Takes what the author has typed. False where it is kept by this page alone. */
export function typeLesson(text: string): boolean {
  const { open } = useLesson.getState();
  if (open === null) return true;
  setLessonText(text);
  return keepDraft(open.key, text);
}

/** Shows the step in which the caret is, by its line from 1. */
export async function showStepAt(line: number): Promise<void> {
  const { open } = useLesson.getState();
  const index = open?.lesson?.steps.findLastIndex((step) => step.line <= line) ?? -1;
  if (open !== null && index >= 0 && index !== open.stepIndex) await goToStep(index);
}

/** Ends the writing; the lesson stays open. */
export function stopEditing(): void {
  useLesson.setState({ isEditing: false });
}

/** Throws the draft away and closes it. */
export function discardDraft(): void {
  const { open } = useLesson.getState();
  if (open !== null && isDraft(open.key)) forgetDraft(open.key);
  closeLesson();
}

/** What can be put into the text for the place that the tool shows. */
export type PieceKind = 'show' | 'callout' | 'click' | 'link';

/** The piece for what the tool shows now; null while it shows no file, or, but for `show`, while nothing is selected. */
export function pieceOfPlace(kind: PieceKind): string | null {
  const { open } = useLesson.getState();
  const file = activeFile(session.getState());
  if (open === null || file?.status.step !== 'ready') return null;
  const selected = formatSelection(file.status.model, file.selection).join('&');
  const show = placeText(file, placeOfStep(open, open.stepIndex).file);
  switch (kind) {
    case 'show':
      return block('show', show, '');
    case 'link':
      return `[the place](#/${show})`;
    case 'callout':
      return selected === '' ? null : block('callout', 'What it is.', selected);
    case 'click':
      return selected === '' ? null : block('ask', 'Click …', `click ${selected}`);
  }
}

/** The address of what is shown, without what is said elsewhere in the lesson. */
function placeText(file: OpenFile, object: string): string {
  const key = keyOf(file);
  const isOther = key !== null && key !== object && key !== lessonObject();
  const address = formatAddress(
    file.view,
    isOther ? { id: key, name: '' } : null,
    modelOf(file),
    file.selection,
    { ...addressContext(file), embed: false },
  );
  return address.replace(/^#\//, '');
}

function lessonObject(): string {
  const { open } = useLesson.getState();
  return open === null ? '' : objectKey(open);
}

/** The lesson's text about the file that is looked at; null while that has no key. */
export function textWithThisFile(text: string): string | null {
  const file = activeFile(session.getState());
  const key = file && keyOf(file);
  return key === null ? null : withObject(text, key);
}

export type LessonLink =
  | { readonly link: string; readonly note: string }
  /** Why there is none. */
  | { readonly link: null; readonly note: string };

/** A link that carries the whole lesson, and the object where that is no example and small. Behind `#`. */
export async function lessonLink(text: string, lesson: Lesson): Promise<LessonLink> {
  const { open } = useLesson.getState();
  const at = stepNow({ open })?.id ?? '';
  const isByItself = /^(sample|btf\d+|bytes\d+|c\d+):/.test(lesson.object);
  const object = isByItself ? null : await carriedObject();
  const carried = await textKey(CARRIED_LESSON, object === null ? text : withObject(text, 'link'));
  if (carried === null) return { link: null, note: 'The lesson is too long for a link: save it' };
  const file = object === null ? '' : `&file=${object}`;
  const link = `#/?lesson=${carried}&at=${encodeURIComponent(at)}${file}`;
  if (isByItself) return { link, note: 'Contains the whole lesson' };
  return object === null
    ? { link, note: 'Contains the lesson; the recipient also needs the object' }
    : { link, note: 'Contains the lesson and its object' };
}

/** The object of the lesson as a link carries it; null where it is too large, or not open. */
async function carriedObject(): Promise<string | null> {
  const file = fileOfKey(lessonObject());
  if (file === null) return null;
  const outcome = await clientOf(file.id)?.call('fileLink', null);
  return outcome?.ok ? outcome.value : null;
}

async function openDraft(key: string, text: string): Promise<void> {
  keepDraft(key, text);
  useLesson.setState({ isEditing: true });
  await openLesson(key, null);
}

/**
 * Places of a lesson that the open files do not have, and questions that have no answer in them, in
 * the order of the steps, each at the line of its step. Of files that are not open nothing is said.
 */
export function placeProblems(
  open: OpenLesson,
  state: Session = session.getState(),
): LessonProblem[] {
  return (open.lesson?.steps ?? []).flatMap((step, index) => {
    const { file, hash } = placeOfStep(open, index);
    const shownFile = fileOfKey(file, state);
    const model = modelOf(shownFile);
    const shown = step.show === null ? [] : [hash];
    const addresses = [...shown, ...placesOf(step).map((place) => `#/bytes?${place}`)];
    const places =
      model === null
        ? []
        : addresses.map((address) => problemOf(model, address) ?? insnProblem(shownFile, address));
    const messages = places.filter((problem) => problem !== null);
    const asked = messages.length > 0 ? null : questionProblem(step, hash, model);
    const answer = step.question === null ? null : rightAnswer(step.question, model);
    return [...messages, asked, givenAway(step, answer)].filter(isText).map((message) => ({
      message,
      line: step.line,
      column: 1,
    }));
  });
}

function isText(message: string | null): message is string {
  return message !== null;
}

/** Why the question of a step at `hash` cannot be answered; null where it can, and where that is not known. */
export function questionProblem(
  { question }: Step,
  hash: string,
  model: ObjectModel | null,
): string | null {
  if (question?.kind === 'write') return writeProblem(question);
  if (question === null || model === null) return null;
  if (question.kind === 'click') {
    const shown = resolveSelection(model, parseAddress(hash).params).selection;
    return sameSelection(shown, selectionAt(model, question.at))
      ? 'The step shows the place that the question asks for: it is selected already'
      : null;
  }
  return question.kind === 'access' && rightAnswer(question, model) === null
    ? `The question has no answer: ${question.path} leads nowhere in ${question.root}`
    : null;
}

/** The compiler is fetched; until then nothing is said of C. */
let checkWritten: typeof import('#lessons/check-write.ts').checkWrite | null = null;

/** Fetches what judges the C of `ask write`. */
export async function prepareProblems(): Promise<true> {
  checkWritten = (await import('#lessons/check-write.ts')).checkWrite;
  return true;
}

/** What is wrong with the right answers that were compiled, by their texts. */
const judged = new Map<string, string | null>();
const MAX_JUDGED = 200;

function writeProblem(question: Extract<Question, { readonly kind: 'write' }>): string | null {
  const check = checkWritten;
  if (check === null) return null;
  if (judged.size > MAX_JUDGED) judged.clear();
  return keptIn(judged, JSON.stringify([question.asks, question.right]), () => {
    const { isRight, why } = check(question, question.right);
    return isRight ? null : `The answer of the step is not right: ${why}`;
  });
}

function placesOf({ callouts, question }: Step): PlaceText[] {
  const pinned = callouts.map(({ at }) => at);
  switch (question?.kind) {
    case 'click':
      return [...pinned, question.at];
    case 'value':
      return [...pinned, question.core];
    case 'access':
      return [...pinned, `type=${question.root}`];
    default:
      return pinned;
  }
}

function problemOf(model: ObjectModel, address: string): string | null {
  const { params } = parseAddress(address);
  return params.size === 0 ? null : resolveSelection(model, params).problem;
}

/** Is the place inside an instruction? Nothing is said before the bytes of the code are here. */
function insnProblem(file: OpenFile | null, address: string): string | null {
  const model = modelOf(file);
  if (file === null || model === null) return null;
  const { selection } = resolveSelection(model, parseAddress(address).params);
  if (selection.kind !== 'insn') return null;
  const code = sectionSpan(model, selection.section);
  if (code === null) return null;
  // With the slot itself: without it, a `ld_imm64` that ends there is taken for one slot.
  const end = Math.min(code.end, code.start + selection.insnOff + insnSlot(model));
  const bytes = bytesNow(file.id, code.start, end);
  if (bytes === null || isInsnStart(model, bytes, selection.insnOff)) return null;
  return `${formatSelection(model, selection).join('&')} is inside an instruction`;
}
