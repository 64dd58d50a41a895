/** Plays a lesson: opens it, changes steps, shows the places of steps, and checks answers. */
import { drawnName } from '#bytes/text.ts';
import { type Track, titleOfKey } from '#lessons/catalogue.ts';
import type { Answer } from '#lessons/check-answer.ts';
import type { Lesson, Question } from '#lessons/lesson.ts';
import type { GivenAnswer } from '#lessons/right-answer.ts';
import { translatedKey } from '#lessons/translation.ts';
import { wrongNumber } from '#lessons/wrong-answers.ts';
import type { Selection } from '#model/selection.ts';
import { type Address, formatAddress, parseAddress, START } from '#store/address/address.ts';
import { chooseBase } from '#store/address/bases.ts';
import { fileOfKey, keyOf, openByKey } from '#store/address/file-keys.ts';
import { followAddress, followIn } from '#store/address/follow-link.ts';
import { parseParams } from '#store/address/selection-keys.ts';
import { setCoreTarget } from '#store/kernels/core-view.ts';
import {
  activeFile,
  activeFileNow,
  announce,
  baseChoice,
  type OpenFile,
  session,
} from '#store/session/session.ts';
import { checkSelection, checkStep, rightOf } from './check-step.ts';
import { isDraft, keepLinked } from './kept-lessons.ts';
import { isOwnLesson, originalOf, readText, textOfKey } from './lesson-source.ts';
import {
  beginMove,
  closeLesson,
  going,
  type OpenLesson,
  patchLesson,
  stepNow,
  useLesson,
} from './lesson-state.ts';
import { givenOf, noteGiven, noteProgress, progressOf, useProgress } from './progress.ts';
import {
  isElsewhere,
  isOpenObject,
  isValueHidden,
  keepCalloutPins,
  placeInStep,
  placeOfStep,
  type StepPlace,
  selectionAt,
} from './step-place.ts';

/** Number of wrong answers after which the page offers the right answer. */
export const MISSES_BEFORE_SHOWN = 3;

keepCalloutPins();

/** Number of the newest answer: the result of an earlier answer must not replace its result. */
let latestAnswer = 0;

export type LessonOptions = {
  /** Track in which the lesson is opened, null for none; absent keeps the stored track. */
  readonly track?: Track | null;
  /** Key of the file for a lesson whose object is `link` or `own`. */
  readonly linked?: string;
};

/** Opens a lesson at step `at`, or at the last visited step. Returns false if loading fails. */
export async function openLesson(
  key: string,
  at: string | null,
  { track, linked = '' }: LessonOptions = {},
): Promise<boolean> {
  if (!(await load(key, at, linked, beginMove()))) return false;
  if (track !== undefined) noteProgress(key, { track });
  await showStep();
  await recallAnswer();
  return true;
}

/** Follows an address with a lesson. A view in the address is shown instead of the step's place. */
export async function followLesson(hash: string): Promise<void> {
  const isLatest = beginMove();
  const { lesson: key, at, file, linked, hasView } = parseAddress(hash);
  const isBare = !hasView;
  const { open } = useLesson.getState();
  const object = linked || file;
  if (open?.key !== key) {
    if (!(await load(key, at, object, isLatest))) {
      if (isLatest()) await followAddress(isBare ? '#/' : hash);
      return;
    }
  } else {
    setStep(indexOf(open, at));
    const isLinked = isOpenObject(open.lesson?.object ?? '');
    if (isBare && isLinked && object !== '') patchLesson({ linked: object });
  }
  if (isBare) await showStep();
  else await going(isLatest, () => followAddress(hash));
  await recallAnswer();
}

/** Returns the key of the active file for a lesson about the user's own file, or empty. */
function ownKey(lesson: Lesson | null): string {
  const file = activeFileNow();
  return lesson?.object === 'own' && file?.sample === null ? (keyOf(file) ?? '') : '';
}

/** Loads a lesson into the state, unless another move has begun in the meantime. */
async function load(
  key: string,
  at: string | null,
  linked: string,
  isLatest: () => boolean,
): Promise<boolean> {
  const { text, original, problem } = await textOfKey(key);
  if (!isLatest()) return false;
  if (text === null) {
    useLesson.setState({ open: null, problem });
    announce(problem);
    return false;
  }
  const read = readText(text, original);
  const open: OpenLesson = {
    key,
    text,
    original,
    ...read,
    linked: isOpenObject(read.lesson?.object ?? '') ? linked || ownKey(read.lesson) : '',
    stepIndex: 0,
    answer: null,
    misses: 0,
    placeProblem: null,
  };
  const known = progressOf(useProgress.getState().lessons, key);
  const start = at || (known?.isFinished ? '' : known?.at) || '';
  useLesson.setState(({ isEditing }) => ({
    open: { ...open, stepIndex: indexOf(open, start) },
    problem: null,
    // The editor opens for drafts only.
    isEditing: isEditing && isDraft(key),
  }));
  if (!isOwnLesson(key) && !isDraft(key)) {
    keepLinked({ key, linked: open.linked, title: read.lesson?.title ?? '' });
  }
  noteStep();
  return true;
}

/** Replaces the text of the open lesson while its author edits; the current step stays. */
export function setLessonText(text: string): void {
  const { open } = useLesson.getState();
  if (open === null || open.text === text) return;
  const translates = translatedKey(text);
  const known = open.original?.key === translates ? open.original : null;
  putText(text, known, readText(text, known));
  if (translates !== null && known === null) void addOriginal(translates);
}

/** Loads the original of a translation and parses the translation again with it. */
async function addOriginal(key: string): Promise<void> {
  const original = await originalOf(key);
  const text = useLesson.getState().open?.text;
  if (text === undefined || translatedKey(text) !== key) return;
  const read = readText(text, original);
  const message = `The original ${key} is not there: open it first, or correct translates`;
  const problems =
    original === null ? [{ message, line: 1, column: 1 }, ...read.problems] : read.problems;
  putText(text, original, { ...read, problems });
}

function putText(
  text: string,
  original: OpenLesson['original'],
  read: Pick<OpenLesson, 'lesson' | 'problems'>,
): void {
  const { open } = useLesson.getState();
  if (open === null) return;
  const place = placeOfStep(open, open.stepIndex);
  const step = stepNow({ open });
  const steps = read.lesson?.steps ?? [];
  const same = steps.findIndex(({ id }) => id === step?.id);
  const stepIndex = same >= 0 ? same : Math.max(0, Math.min(open.stepIndex, steps.length - 1));
  const next: OpenLesson = { ...open, text, original, ...read, stepIndex };
  useLesson.setState({ open: next });
  const now = placeOfStep(next, stepIndex);
  const isMoved = formatAddress(now.address) !== formatAddress(place.address);
  if (now.file !== place.file || isMoved) void showStep();
}

/** Shows the step with this index and its place; an index out of range does nothing. */
export async function goToStep(index: number): Promise<void> {
  const { open } = useLesson.getState();
  if (open?.lesson?.steps[index] === undefined) return;
  useLesson.setState({ isGoing: true });
  setStep(index);
  const step = stepNow(useLesson.getState());
  announce(`${drawnName(step?.title ?? '')}, ${index + 1} of ${open.lesson.steps.length}`);
  await showStep();
  await recallAnswer();
}

export async function goToNext(): Promise<void> {
  await goToStep((useLesson.getState().open?.stepIndex ?? 0) + 1);
}

export async function goToPrevious(): Promise<void> {
  await goToStep((useLesson.getState().open?.stepIndex ?? 0) - 1);
}

export async function backToStep(): Promise<void> {
  const { open } = useLesson.getState();
  // Removes the explanation of a wrong click, because the clicked place is no longer visible.
  if (open?.answer?.isRight === false) patchLesson({ answer: null });
  await showStep(true);
  const now = useLesson.getState();
  const question = stepNow(now)?.question ?? null;
  if (now.open?.answer?.isRight && question !== null) showValue(now.open, question);
}

/** Follows a link in the step's text: a whole address, or only its part from `?` on. */
export async function goToPlace(hash: string): Promise<void> {
  const { open } = useLesson.getState();
  if (open === null) return;
  await goTo(placeInStep(open, hash), beginMove());
}

/** Selects `bytes=.BTF@0x0-0x2` or the like in the step's file, in the current view if possible. */
export async function selectPlace(words: string): Promise<void> {
  const { open } = useLesson.getState();
  if (open === null) return;
  const place = placeOfStep(open, open.stepIndex);
  const file = fileOfKey(place.file);
  const view = file === null ? place.address.view : file.view;
  const address: Address = {
    ...START,
    hasView: true,
    view: view === 'overview' ? 'bytes' : view,
    params: parseParams(words),
  };
  await goTo({ file: place.file, address }, beginMove());
}

/** Checks an answer to the step's question and stores the result in the state. */
export async function answerStep(given: GivenAnswer): Promise<void> {
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  const text = given.kind === 'typed' ? given.text : given.kind === 'chosen' ? given.option : null;
  if (open !== null && step !== null && text !== null) noteGiven(open.key, step.id, `${text}`);
  await answerWith((now, question) => checkStep(now, question, given), given);
}

/** Returns the learner's stored answer to a step; null in a presentation. */
export function answerBefore(id: string): string | null {
  const { open, isPresenting } = useLesson.getState();
  return open === null || isPresenting ? null : givenOf(open.key, id);
}

/** Checks the stored answer of the current step again, so that its result is shown. */
async function recallAnswer(): Promise<void> {
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  if (open === null || step?.question == null || open.answer !== null) return;
  const text = answerBefore(step.id);
  if (text === null || step.question.kind === 'click') return;
  const isChosen = step.question.kind === 'choice';
  const given: GivenAnswer = isChosen
    ? { kind: 'chosen', option: Number(text) }
    : { kind: 'typed', text };
  const mine = ++latestAnswer;
  const answer = await checkStep(open, step.question, given);
  if (mine !== latestAnswer || stepNow(useLesson.getState()) !== step) return;
  patchLesson({ answer });
  if (answer.isRight) showValue(open, step.question);
}

async function answerWith(
  check: (open: OpenLesson, question: Question) => Promise<Answer>,
  given: GivenAnswer | null = null,
): Promise<void> {
  const mine = ++latestAnswer;
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  if (open === null || step?.question == null) return;
  const answer = await check(open, step.question);
  const now = useLesson.getState();
  if (mine !== latestAnswer || stepNow(now) !== step || now.open === null) return;
  patchLesson({ answer, misses: now.open.misses + (answer.isRight ? 0 : 1) });
  if (!answer.isRight) {
    if (!now.isPresenting) noteWrong(open.key, step.id, wrongNumber(step.question, given));
    return;
  }
  noteStep(step.id);
  showValue(now.open, step.question);
}

function noteWrong(key: string, step: string, number: number): void {
  const before = progressOf(useProgress.getState().lessons, key)?.wrong ?? {};
  const bits = Object.hasOwn(before, step) ? (before[step] ?? 0) : 0;
  noteProgress(key, { wrong: { ...before, [step]: bits | (1 << number) } });
}

/** After the right answer, shows the CO-RE value: sets the question's target in the CO-RE tab. */
function showValue(open: OpenLesson, question: Question): void {
  const { file, address } = placeOfStep(open, open.stepIndex);
  if (question.kind !== 'value' || !isValueHidden(open, open.stepIndex, address)) return;
  const [object, target] = [fileOfKey(file), fileOfKey(question.target)];
  if (object !== null && target !== null) setCoreTarget(object.id, target.id);
}

/** Returns the right answer, or null. Selects the answer if the question asks for a click. */
export async function showAnswer(): Promise<GivenAnswer | null> {
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  if (open === null || step?.question == null) return null;
  const right = await rightOf(open, step.question);
  if (stepNow(useLesson.getState()) !== step || right?.kind !== 'place') return right;
  await selectPlace(right.at);
  const file = activeFileNow();
  if (file?.status.step !== 'ready') return right;
  const answer = await checkSelection(
    open,
    step.question,
    selectionAt(file.status.model, right.at),
  );
  if (stepNow(useLesson.getState()) === step) patchLesson({ answer });
  return right;
}

function setStep(stepIndex: number): void {
  const { open } = useLesson.getState();
  if (open === null || open.stepIndex === stepIndex) return;
  latestAnswer++;
  patchLesson({ stepIndex, answer: null, misses: 0, placeProblem: null });
  noteStep();
}

/** Returns the index of the step with this id; 0 if the lesson has no such step. */
function indexOf({ lesson }: OpenLesson, id: string): number {
  return Math.max(0, lesson?.steps.findIndex((step) => step.id === id) ?? 0);
}

/** Stores the current step as progress; `answered` is the id of a step answered right, or null. */
function noteStep(answered: string | null = null): void {
  const { open } = useLesson.getState();
  const steps = open?.lesson?.steps ?? [];
  const at = stepNow({ open });
  if (open === null || at === null) return;
  const before = progressOf(useProgress.getState().lessons, open.key)?.done ?? [];
  const ids = new Set([...before, ...(answered === null ? [] : [answered])]);
  const done = steps.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const isAnswered = steps.every(({ id, question }) => question === null || ids.has(id));
  noteProgress(open.key, {
    // A translation is stored under the title of its original, so that a class counts both as one.
    title: titleOfKey(open.key) ?? open.lesson?.title ?? '',
    steps: steps.map(({ id }) => id),
    at: at.id,
    done,
    isFinished: isAnswered && at === steps.at(-1),
  });
}

/** Shows the place of the step unless the page shows it already; `anew` shows it in any case. */
async function showStep(anew = false): Promise<void> {
  const isLatest = beginMove();
  const { open } = useLesson.getState();
  if (open === null) return;
  const place = placeOfStep(open, open.stepIndex);
  const state = session.getState();
  // While the file opens, the session still has the place of the previous step.
  const isOpening = activeFile(state)?.status.step === 'opening';
  if (!anew && !isOpening && !isElsewhere(state, place)) {
    useLesson.setState({ isGoing: false });
    return;
  }
  await goTo(place, isLatest);
}

async function goTo({ file, address }: StepPlace, isLatest: () => boolean): Promise<void> {
  await going(isLatest, async () => {
    if (file === '') {
      const isOwn = useLesson.getState().open?.lesson?.object === 'own';
      patchLesson({
        placeProblem: isOwn
          ? 'This lesson is about a file of yours: drop an object onto the page'
          : 'This lesson has no file: its link must name one',
      });
      return;
    }
    // Activates the file even if the user has moved on: later steps mostly use this file, too.
    const opened = await openByKey(file, '', {
      activate: () => useLesson.getState().open !== null,
    });
    if (!isLatest()) return;
    patchLesson({ placeProblem: opened.problem });
    if (opened.file === null) return;
    // A step without a base shows the file without a base, even if an earlier step has set one.
    const { chosen } = baseChoice(opened.file);
    if (chosen !== null && address.base === '') {
      await chooseBase(opened.file.id, null);
      if (!isLatest()) return;
    }
    await followIn(opened.file.id, address);
  });
}

/** Time in ms after which a selection is taken as an answer; a drag makes many selections. */
const STAY_MS = 200;

/** Checks selections as answers; closes the lesson without a file. Returns a function to stop. */
export function watchTool(): () => void {
  let seen = activeFileNow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = session.subscribe((state) => {
    const before = seen;
    const file = activeFile(state);
    seen = file;
    takeOwnFile();
    if (useLesson.getState().isGoing || file === before) return;
    if (file === null) {
      // A lesson that failed to open is not closed: the start page shows its `problem`.
      const isOpen = useLesson.getState().open !== null;
      if (before !== null && state.wanted === null && isOpen) closeLesson();
      return;
    }
    const clicked = clickedIn(file, before);
    if (clicked === null || !isAsked(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isStill = activeFileNow()?.selection === clicked;
      if (!isStill || useLesson.getState().isGoing) return;
      judged = clicked;
      void answerWith((open, question) => checkSelection(open, question, clicked));
    }, STAY_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Makes the first file of the learner the file of a lesson about the learner's own file. */
function takeOwnFile(): void {
  const { open } = useLesson.getState();
  if (open === null || open.linked !== '') return;
  const linked = ownKey(open.lesson);
  if (linked === '') return;
  patchLesson({ linked });
  void showStep(true);
}

/** Checks the current selection as an answer, since clicking it again would change nothing. */
export function answerWithSelected(): void {
  const { open, isGoing } = useLesson.getState();
  const file = activeFileNow();
  if (open === null || isGoing || file === null || file.selection.kind === 'none') return;
  const { selection } = file;
  if (!isAsked(file) || (open.answer !== null && judged === selection)) return;
  judged = selection;
  void answerWith((now, question) => checkSelection(now, question, selection));
}

/** Selection that was checked last, so that it is not checked again. */
let judged: Selection | null = null;

/** Returns the selection of the active file if it has just changed, otherwise null. */
function clickedIn(file: OpenFile, before: OpenFile | null): Selection | null {
  const { selection } = file;
  if (file.id !== before?.id || selection === before.selection) return null;
  return selection.kind === 'none' ? null : selection;
}

/** Returns true if the step has a click question about this file that is not answered right yet. */
function isAsked(file: OpenFile): boolean {
  const { open } = useLesson.getState();
  if (open === null || stepNow({ open })?.question?.kind !== 'click') return false;
  if (open.answer?.isRight) return false;
  return fileOfKey(placeOfStep(open, open.stepIndex).file)?.id === file.id;
}
