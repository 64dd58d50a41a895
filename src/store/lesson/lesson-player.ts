/** Plays a lesson: opens it, goes from step to step, shows places, checks answers. */
import { drawnName } from '#bytes/text.ts';
import { type Track, titleOfKey } from '#lessons/catalogue.ts';
import type { Answer } from '#lessons/check-answer.ts';
import type { Lesson, Question } from '#lessons/lesson.ts';
import type { GivenAnswer } from '#lessons/right-answer.ts';
import { translatedKey } from '#lessons/translation.ts';
import type { Selection } from '#model/selection.ts';
import { chooseBase } from '#store/address/bases.ts';
import { fileOfKey, keyOf } from '#store/address/file-keys.ts';
import { followAddress, followIn } from '#store/address/follow-link.ts';
import { parseAddress } from '#store/address/location.ts';
import { setCoreTarget } from '#store/kernels/core-view.ts';
import {
  activeFile,
  announce,
  baseChoice,
  type OpenFile,
  session,
} from '#store/session/session.ts';
import { checkSelection, checkStep, rightOf } from './check-step.ts';
import { isDraft } from './drafts.ts';
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
import { keepLinked } from './linked-lessons.ts';
import { openRead } from './open-read.ts';
import { keepPins } from './pins.ts';
import { givenOf, noteGiven, noteProgress, progressOf, useProgress } from './progress.ts';
import {
  isElsewhere,
  isOpenObject,
  isValueHidden,
  placeInStep,
  placeOfStep,
  type StepPlace,
  selectionAt,
} from './step-place.ts';

/** Wrong answers to a question before the answer can be had. */
export const MISSES_BEFORE_SHOWN = 3;

keepPins();

/** Counts what was answered, as `beginMove` counts where was gone to. */
let latestAnswer = 0;

export type LessonOptions = {
  /** The track that it is opened in; null: none. What was known of it stays where it is left out. */
  readonly track?: Track | null;
  /** The file that the lesson is about where its text leaves that to a link, as behind `file=`. */
  readonly linked?: string;
};

/**
 * Opens the lesson of this key at the step of this id, or where the person was.
 * False where the lesson cannot be had; `problem` of the state says why.
 */
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

/** Follows an address that names a lesson: to the place of the step, or where the address says that the person was. */
export async function followLesson(hash: string): Promise<void> {
  const isLatest = beginMove();
  const { lesson: key, at, file, linked } = parseAddress(hash);
  const isBare = /^#?\/?\?/.test(hash);
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

/** The file that is looked at, for a lesson about the learner's own; empty where it is an example, or none. */
function ownKey(lesson: Lesson | null): string {
  const file = activeFile(session.getState());
  return lesson?.object === 'own' && file?.sample === null ? (keyOf(file) ?? '') : '';
}

/** Puts the lesson of `key` into the state, where nothing later was asked for. */
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
    // Of a lesson that is no draft, only a copy is edited.
    isEditing: isEditing && isDraft(key),
  }));
  if (!isOwnLesson(key) && !isDraft(key)) {
    keepLinked({ key, linked: open.linked, title: read.lesson?.title ?? '' });
  }
  noteStep();
  return true;
}

/** Reads the lesson's text again, as its author changes it. Stays at the step. */
export function setLessonText(text: string): void {
  const { open } = useLesson.getState();
  if (open === null || open.text === text) return;
  const translates = translatedKey(text);
  const known = open.original?.key === translates ? open.original : null;
  putText(text, known, readText(text, known));
  if (translates !== null && known === null) void addOriginal(translates);
}

/** Reads the text with its original, once that is here. */
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
  if (now.file !== place.file || now.hash !== place.hash) void showStep();
}

/** Goes to the step of this number, from 0, and shows its place; nothing happens where there is none. */
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

/** Goes to the step behind; at the last one nothing happens. */
export async function goToNext(): Promise<void> {
  await goToStep((useLesson.getState().open?.stepIndex ?? 0) + 1);
}

/** Goes to the step before; at the first one nothing happens. */
export async function goToPrevious(): Promise<void> {
  await goToStep((useLesson.getState().open?.stepIndex ?? 0) - 1);
}

/** Shows the place of the step again, wherever the tool is. */
export async function backToStep(): Promise<void> {
  const { open } = useLesson.getState();
  // What was said of a place that is not shown any more.
  if (open?.answer?.isRight === false) patchLesson({ answer: null });
  await showStep(true);
  const now = useLesson.getState();
  const question = stepNow(now)?.question ?? null;
  if (now.open?.answer?.isRight && question !== null) showValue(now.open, question);
}

/** Goes to a place that a text of the step names: an address, or its part behind `?`. */
export async function goToPlace(hash: string): Promise<void> {
  const { open } = useLesson.getState();
  if (open === null) return;
  await goTo(placeInStep(open, hash), beginMove());
}

/** Selects a place in words, `bytes=.BTF@0x0-0x2`, in the file of the step; stays in the view where it can. */
export async function selectPlace(words: string): Promise<void> {
  const { open } = useLesson.getState();
  if (open === null) return;
  const place = placeOfStep(open, open.stepIndex);
  const file = fileOfKey(place.file);
  const view = file === null ? parseAddress(place.hash).view : file.view;
  await goToPlace(`#/${view === 'overview' ? 'bytes' : view}?${words}`);
}

/** Takes an answer to the step's question. What is said to it comes into the state. */
export async function answerStep(given: GivenAnswer): Promise<void> {
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  const text = given.kind === 'typed' ? given.text : given.kind === 'chosen' ? given.option : null;
  if (open !== null && step !== null && text !== null) noteGiven(open.key, step.id, `${text}`);
  await answerWith((now, question) => checkStep(now, question, given));
}

/** What was answered to the step of this id before, as its field or its options show it. Nothing before an audience. */
export function answerBefore(id: string): string | null {
  const { open, isPresenting } = useLesson.getState();
  return open === null || isPresenting ? null : givenOf(open.key, id);
}

/** Says again what was said to the answer that was given before. */
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
): Promise<void> {
  const mine = ++latestAnswer;
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  if (open === null || step?.question == null) return;
  const answer = await check(open, step.question);
  const now = useLesson.getState();
  if (mine !== latestAnswer || stepNow(now) !== step || now.open === null) return;
  patchLesson({ answer, misses: now.open.misses + (answer.isRight ? 0 : 1) });
  if (!answer.isRight) return;
  noteStep(step.id);
  showValue(now.open, step.question);
}

/** Shows the value that was asked for, where it was hidden: the object on the target of the question. */
function showValue(open: OpenLesson, question: Question): void {
  const { file, hash } = placeOfStep(open, open.stepIndex);
  if (question.kind !== 'value' || !isValueHidden(open, open.stepIndex, hash)) return;
  const [object, target] = [fileOfKey(file), fileOfKey(question.target)];
  if (object !== null && target !== null) setCoreTarget(object.id, target.id);
}

/** Gives the right answer away: goes there, or gives it back for whoever types or chooses it. Null where there is none. */
export async function showAnswer(): Promise<GivenAnswer | null> {
  const { open } = useLesson.getState();
  const step = stepNow({ open });
  if (open === null || step?.question == null) return null;
  const right = await rightOf(open, step.question);
  if (stepNow(useLesson.getState()) !== step || right?.kind !== 'place') return right;
  await selectPlace(right.at);
  const file = activeFile(session.getState());
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

/** The number of the step of that id; 0 where the lesson has none. */
function indexOf({ lesson }: OpenLesson, id: string): number {
  return Math.max(0, lesson?.steps.findIndex((step) => step.id === id) ?? 0);
}

/** Keeps where somebody is, and with `answered` that this step's question is answered. */
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
    // Of a translation that of the original: a class counts them together.
    title: titleOfKey(open.key) ?? open.lesson?.title ?? '',
    steps: steps.map(({ id }) => id),
    at: at.id,
    done,
    isFinished: isAnswered && at === steps.at(-1),
  });
}

/** Shows the place of the step, unless it is shown; `anew` shows it in any case. */
async function showStep(anew = false): Promise<void> {
  const isLatest = beginMove();
  const { open } = useLesson.getState();
  if (open === null) return;
  const place = placeOfStep(open, open.stepIndex);
  const state = session.getState();
  // What waits for this file to open would show the place of the step before.
  const isOpening = activeFile(state)?.status.step === 'opening';
  if (!anew && !isOpening && !isElsewhere(state, place)) {
    useLesson.setState({ isGoing: false });
    return;
  }
  await goTo(place, isLatest);
}

async function goTo({ file, hash }: StepPlace, isLatest: () => boolean): Promise<void> {
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
    // A later step is most often in the same file: who goes there sees that it opens.
    const found = await openRead(file, { activate: () => useLesson.getState().open !== null });
    if (!isLatest()) return;
    patchLesson({ placeProblem: found.problem });
    if (found.file === null) return;
    // A step that names no base is about the file on none, whatever a step before put it on.
    const { chosen } = baseChoice(found.file);
    if (chosen !== null && parseAddress(hash).base === '') {
      await chooseBase(found.file.id, null);
      if (!isLatest()) return;
    }
    await followIn(found.file.id, hash);
  });
}

/** What a person does in the tool while a lesson is open: selecting something may answer, going home ends it. */

/** A selection counts once it has stayed for so many milliseconds: a drag goes through many. */
const STAY_MS = 200;

/** Listens to what is selected, as answers to questions that ask for a click. Gives back what stops it. */
export function watchTool(): () => void {
  let seen = activeFile(session.getState());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = session.subscribe((state) => {
    const before = seen;
    const file = activeFile(state);
    seen = file;
    takeOwnFile();
    if (useLesson.getState().isGoing || file === before) return;
    if (file === null) {
      // Why a lesson is not shown stays: the page goes to its start for want of a file.
      const isOpen = useLesson.getState().open !== null;
      if (before !== null && state.wanted === null && isOpen) closeLesson();
      return;
    }
    const clicked = clickedIn(file, before);
    if (clicked === null || !isAsked(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isStill = activeFile(session.getState())?.selection === clicked;
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

/** Takes the first file that the learner opens as that of a lesson about their own, once its hash is known. */
function takeOwnFile(): void {
  const { open } = useLesson.getState();
  if (open === null || open.linked !== '') return;
  const linked = ownKey(open.lesson);
  if (linked === '') return;
  patchLesson({ linked });
  void showStep(true);
}

/**
 * Answers with what is selected already: a click on it changes no selection. Nothing happens where
 * that was judged, so that a second click is no second miss.
 */
export function answerWithSelected(): void {
  const { open, isGoing } = useLesson.getState();
  const file = activeFile(session.getState());
  if (open === null || isGoing || file === null || file.selection.kind === 'none') return;
  const { selection } = file;
  if (!isAsked(file) || (open.answer !== null && judged === selection)) return;
  judged = selection;
  void answerWith((now, question) => checkSelection(now, question, selection));
}

/** The selection that was judged last. */
let judged: Selection | null = null;

/** What was newly selected in the file that is looked at; null where nothing was. */
function clickedIn(file: OpenFile, before: OpenFile | null): Selection | null {
  const { selection } = file;
  if (file.id !== before?.id || selection === before.selection) return null;
  return selection.kind === 'none' ? null : selection;
}

/** Does the step ask for a click in this file, and is it not answered yet? */
function isAsked(file: OpenFile): boolean {
  const { open } = useLesson.getState();
  if (open === null || stepNow({ open })?.question?.kind !== 'click') return false;
  if (open.answer?.isRight) return false;
  return fileOfKey(placeOfStep(open, open.stepIndex).file)?.id === file.id;
}
