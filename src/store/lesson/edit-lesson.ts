/** The lesson editor: drafts, blocks to insert, problems, and links that contain a lesson. */
import { isInsnStart } from '#analysis/code/code-listing.ts';
import { textKey } from '#analysis/links/packed.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { block, newLesson, withObject } from '#lessons/compose.ts';
import type { Lesson, LessonProblem, PlaceText, Question, Step } from '#lessons/lesson.ts';
import { MAX_LESSON } from '#lessons/read-lesson.ts';
import { givenAway, rightAnswer } from '#lessons/right-answer.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sameSelection } from '#model/selection.ts';
import { type Address, formatAddress, START } from '#store/address/address.ts';
import { fileOfKey, keyOf } from '#store/address/file-keys.ts';
import { placeOfPane } from '#store/address/navigation.ts';
import {
  formatSelection,
  parseParams,
  resolveSelection,
  type SelectionParams,
} from '#store/address/selection-keys.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { clientOf } from '#store/session/files.ts';
import {
  activeFileNow,
  announce,
  modelOf,
  type OpenFile,
  type Session,
  session,
} from '#store/session/session.ts';
import { draftText, forgetDraft, isDraft, keepDraft, newDraftKey } from './kept-lessons.ts';
import { goToStep, openLesson, setLessonText } from './lesson-player.ts';
import { CARRIED_LESSON } from './lesson-source.ts';
import { closeLesson, type OpenLesson, patchLesson, stepNow, useLesson } from './lesson-state.ts';
import { objectKey, placeOfStep, selectionAt } from './step-place.ts';

/** Opens a new draft about the active file. */
export async function writeNewLesson(): Promise<void> {
  const file = activeFileNow();
  const key = file === null ? null : keyOf(file);
  const place = file === null ? null : placeText(file, key ?? '');
  const text = newLesson(key ?? 'sample:kinds.btf', place ?? 'bytes?bytes=.BTF@0x0-0x2');
  await openDraft(newDraftKey(), text);
}

export async function continueDraft(key: string): Promise<void> {
  const text = draftText(key);
  if (text !== null) await openDraft(key, text);
}

/** Opens the editor for the open lesson; copies the lesson into a draft unless it is one. */
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

export async function openDropped(file: File): Promise<void> {
  // Limit in bytes: a UTF-16 code unit has at most three bytes in UTF-8.
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

/** Stores the author's text as the draft. Returns false if the browser could not store it. */
export function typeLesson(text: string): boolean {
  const { open } = useLesson.getState();
  if (open === null) return true;
  setLessonText(text);
  return keepDraft(open.key, text);
}

/** Shows the step at a line of the text; `line` counts from 1. */
export async function showStepAt(line: number): Promise<void> {
  const { open } = useLesson.getState();
  const index = open?.lesson?.steps.findLastIndex((step) => step.line <= line) ?? -1;
  if (open !== null && index >= 0 && index !== open.stepIndex) await goToStep(index);
}

export function stopEditing(): void {
  useLesson.setState({ isEditing: false });
}

export function discardDraft(): void {
  const { open } = useLesson.getState();
  if (open !== null && isDraft(open.key)) forgetDraft(open.key);
  closeLesson();
}

/** Kinds of blocks that the editor inserts for the active view and selection. */
export type PieceKind = 'show' | 'callout' | 'click' | 'link';

/** Returns a block for the active view and selection; null if the file or selection is missing. */
export function pieceOfPlace(kind: PieceKind): string | null {
  const { open } = useLesson.getState();
  const file = activeFileNow();
  if (open === null || file?.status.step !== 'ready') return null;
  const selected = formatSelection(file.status.model, file.selection);
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

/** Returns the active view's address; without `file=` if the lesson's object is that file. */
function placeText(file: OpenFile, object: string): string {
  const key = keyOf(file);
  const isOther = key !== null && key !== object && key !== lessonObject();
  const place = placeOfPane({ file, view: file.view });
  const named = { file: isOther ? key : '', name: '' };
  return formatAddress({ ...START, hasView: true, ...place, ...named }).replace(/^#\//, '');
}

function lessonObject(): string {
  const { open } = useLesson.getState();
  return open === null ? '' : objectKey(open);
}

/** Returns the lesson's text with the active file as `object`; null if the file has no key. */
export function textWithThisFile(text: string): string | null {
  const file = activeFileNow();
  const key = file && keyOf(file);
  return key === null ? null : withObject(text, key);
}

export type LessonLink =
  | { readonly link: string; readonly note: string }
  /** `note` is the reason why there is no link. */
  | { readonly link: null; readonly note: string };

/** Returns a link with the lesson, and with its object unless that is large or an example. */
export async function lessonLink(text: string, lesson: Lesson): Promise<LessonLink> {
  const { open } = useLesson.getState();
  const at = stepNow({ open })?.id ?? '';
  const isByItself = /^(sample|btf\d+|bytes\d+|c\d+):/.test(lesson.object);
  const object = isByItself ? null : await carriedObject();
  const carried = await textKey(CARRIED_LESSON, object === null ? text : withObject(text, 'link'));
  if (carried === null) return { link: null, note: 'The lesson is too long for a link: save it' };
  const link = formatAddress({ ...START, lesson: carried, at, file: object ?? '' });
  if (isByItself) return { link, note: 'Contains the whole lesson' };
  return object === null
    ? { link, note: 'Contains the lesson; the recipient also needs the object' }
    : { link, note: 'Contains the lesson and its object' };
}

/** Returns the lesson's object encoded for a link; null if it is too large or not open. */
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

/** Returns problems of the steps whose file is open: missing places, unanswerable questions. */
export function placeProblems(
  open: OpenLesson,
  state: Session = session.getState(),
): LessonProblem[] {
  return (open.lesson?.steps ?? []).flatMap((step, index) => {
    const { file, address } = placeOfStep(open, index);
    const shownFile = fileOfKey(file, state);
    const model = modelOf(shownFile);
    const shown = step.show === null ? [] : [address.params];
    const selections = [...shown, ...placesOf(step).map(parseParams)];
    const places =
      model === null
        ? []
        : selections.map((params) => problemOf(model, params) ?? insnProblem(shownFile, params));
    const messages = places.filter((problem) => problem !== null);
    const asked = messages.length > 0 ? null : questionProblem(step, address, model);
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

/** Returns why a question has no answer; null if it has one or cannot be checked yet. */
export function questionProblem(
  { question }: Step,
  { params }: Pick<Address, 'params'>,
  model: ObjectModel | null,
): string | null {
  if (question?.kind === 'write') return writeProblem(question);
  if (question === null || model === null) return null;
  if (question.kind === 'click') {
    const shown = resolveSelection(model, params).selection;
    return sameSelection(shown, selectionAt(model, question.at))
      ? 'The step shows the place that the question asks for: it is selected already'
      : null;
  }
  return question.kind === 'access' && rightAnswer(question, model) === null
    ? `The question has no answer: ${question.path} leads nowhere in ${question.root}`
    : null;
}

/** The compiler check for questions with C; null until it is loaded. */
let checkWritten: typeof import('#lessons/check-write.ts').checkWrite | null = null;

export async function prepareProblems(): Promise<true> {
  checkWritten = (await import('#lessons/check-write.ts')).checkWrite;
  return true;
}

/** Cached problems of right answers written in C, by question. */
const judged = new Map<string, string | null>();
const MAX_JUDGED = 200;

function writeProblem(question: Extract<Question, { readonly kind: 'write' }>): string | null {
  const check = checkWritten;
  if (check === null) return null;
  if (judged.size > MAX_JUDGED) judged.clear();
  return getOrCreate(judged, JSON.stringify([question.asks, question.right]), () => {
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

function problemOf(model: ObjectModel, params: SelectionParams): string | null {
  return params.size === 0 ? null : resolveSelection(model, params).problem;
}

/** Returns a problem if a place is inside an instruction; null until the code is loaded. */
function insnProblem(file: OpenFile | null, params: SelectionParams): string | null {
  const model = modelOf(file);
  if (file === null || model === null) return null;
  const { selection } = resolveSelection(model, params);
  if (selection.kind !== 'insn') return null;
  const code = sectionSpan(model, selection.section);
  if (code === null) return null;
  // Includes the slot at the end: an `ld_imm64` that is cut there would look like one slot.
  const end = Math.min(code.end, code.start + selection.insnOff + insnSlot(model));
  const bytes = bytesNow(file.id, code.start, end);
  if (bytes === null || isInsnStart(model, bytes, selection.insnOff)) return null;
  return `${formatSelection(model, selection)} is inside an instruction`;
}
