/** Checks answers to a step's question against the files, and puts the right answer into words. */
import { accessPathOf } from '#analysis/core/playground.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import { counted, drawnName, visible } from '#bytes/text.ts';
import { type Answer, checkAccess, checkClick, checkNumber, wrong } from '#lessons/check-answer.ts';
import { checkCount, checkValue } from '#lessons/check-value.ts';
import type { Question } from '#lessons/lesson.ts';
import { withoutMarks } from '#lessons/lesson-text.ts';
import { type GivenAnswer, rightAnswer } from '#lessons/right-answer.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { fileOfKey, openByKey } from '#store/address/file-keys.ts';
import { explainCore } from '#store/kernels/core-results.ts';
import { decodeKey } from '#store/page/percent.ts';
import { modelOf, type OpenFile } from '#store/session/session.ts';
import type { OpenLesson } from './lesson-state.ts';
import { withBytes } from './step-files.ts';
import { placeOfStep, selectionAt } from './step-place.ts';

type Asked<K extends Question['kind']> = Extract<Question, { readonly kind: K }>;

/** Checks a typed or chosen answer. Opens the step's file and target if needed. */
export async function checkStep(
  open: OpenLesson,
  question: Question,
  given: GivenAnswer,
): Promise<Answer> {
  if (given.kind === 'chosen') {
    const option = question.kind === 'choice' ? question.options[given.option] : undefined;
    return option === undefined ? wrong('Choose one of the answers.') : { ...option };
  }
  if (question.kind === 'number' && given.kind === 'typed') {
    return checkNumber(given.text, question.value, question);
  }
  if (question.kind === 'write' && given.kind === 'typed') {
    const { checkWrite } = await import('#lessons/check-write.ts');
    return checkWrite(question, given.text);
  }
  const file = await stepFile(open);
  const model = modelOf(file);
  if (file === null || model === null) return wrong('The file of this step is not open.');
  if (given.kind === 'place') {
    return await checkSelection(open, question, selectionAt(model, given.at));
  }
  if (question.kind === 'count') return checkCount(given.text, model, question.of);
  if (question.kind === 'access') return checkTypedAccess(model, question, given.text);
  if (question.kind === 'value') return await checkTypedValue(file, model, question, given.text);
  return wrong('Click on it in the tool.');
}

/** Checks a selection as the answer to a click question. */
export async function checkSelection(
  open: OpenLesson,
  question: Question,
  clicked: Selection,
): Promise<Answer> {
  const file = await stepFile(open);
  const model = modelOf(file);
  if (question.kind !== 'click' || file === null || model === null) {
    return wrong('The file of this step is not open.');
  }
  const wanted = selectionAt(model, question.at);
  const meant = bytesMeant(model, clicked, wanted);
  const answer = await withBytes(file.id, (read) => checkClick(model, meant, wanted, read));
  if (!answer.isRight) return answer;
  return isTwin(clicked, wanted)
    ? wrong('Same bytes, but the question is about another entry.')
    : answer;
}

/** Returns `clicked`, but the patched bytes for a relocation if the question is about bytes. */
function bytesMeant(model: ObjectModel, clicked: Selection, wanted: Selection): Selection {
  if (clicked.kind !== 'relocation' || wanted.kind !== 'bytes') return clicked;
  const site = relocationMeaning(model, clicked.reloc).siteSpan;
  if (site === null) return clicked;
  const start = Math.max(site.start, wanted.start);
  const end = Math.min(site.end, wanted.end);
  return start < end ? { kind: 'bytes', start, end } : { kind: 'bytes', ...site };
}

/** Returns true if the clicked relocation or access index is as right as the wanted one. */
function isTwin(clicked: Selection, wanted: Selection): boolean {
  if (clicked.kind === 'relocation' && wanted.kind === 'relocation') {
    return clicked.reloc !== wanted.reloc;
  }
  if (clicked.kind !== 'core' || wanted.kind !== 'core') return false;
  if (clicked.core !== wanted.core) return true;
  return wanted.step !== null && clicked.step !== wanted.step;
}

/** Returns the right answer; null if it cannot be found in the files. */
export async function rightOf(open: OpenLesson, question: Question): Promise<GivenAnswer | null> {
  const file = await stepFile(open);
  const model = modelOf(file);
  if (question.kind !== 'value' || file === null || model === null) {
    return rightAnswer(question, model);
  }
  const { result } = await resultOf(file, model, question);
  const isPoisoned = result?.status === 'poisoned';
  const right = rightAnswer(question, model, result);
  return right === null && isPoisoned ? { kind: 'typed', text: 'poison' } : right;
}

function checkTypedAccess(model: ObjectModel, question: Asked<'access'>, text: string): Answer {
  const { types } = model;
  const key = parseTypeKey(question.root);
  const root = types && key && findTypeKey(types, key);
  const right = rightAnswer(question, model);
  if (types === null || root === null || right?.kind !== 'typed') {
    return wrong('This file has no such type, so there is no right answer.');
  }
  return checkAccess(types, root, accessPathOf(types, { root, accessStr: right.text }), text);
}

async function checkTypedValue(
  file: OpenFile,
  model: ObjectModel,
  question: Asked<'value'>,
  text: string,
): Promise<Answer> {
  const { result, target, problem } = await resultOf(file, model, question);
  if (result === null) return wrong(problem);
  return checkValue(text, result, modelOf(target)?.types ?? null, model.endian);
}

/** Resolves the CO-RE record of a question; without a result, `problem` says why. */
async function resultOf(file: OpenFile, model: ObjectModel, question: Asked<'value'>) {
  const none = (problem: string) => ({ result: null, target: null, problem });
  const record = selectionAt(model, question.core);
  if (record.kind !== 'core') return none('This file has no such CO-RE relocation.');
  const { file: target, problem } = await openByKey(question.target, '', { activate: false });
  if (target === null) return none(`The target is not open. ${problem}.`);
  const pair = { object: file.id, target: target.id, fresh: false };
  const result = await explainCore(pair, record.core, new AbortController().signal);
  return result === null
    ? none('The relocation could not be resolved on that target.')
    : { result, target, problem: '' };
}

/** Returns the file of the step, opened if needed. */
async function stepFile(open: OpenLesson): Promise<OpenFile | null> {
  const { file } = placeOfStep(open, open.stepIndex);
  return file === '' ? null : (await openByKey(file, '', { activate: false })).file;
}

/** Returns the right answer as an escaped sentence. Opens the files that the question needs. */
export async function answerWords(open: OpenLesson, question: Question): Promise<string> {
  const right = await rightOf(open, question);
  if (right === null) return 'The open files have no answer.';
  switch (right.kind) {
    case 'typed':
      return typedWords(question, right.text);
    case 'chosen':
      return chosenWords(question, right.option);
    case 'place':
      return await placeWords(open, right.at);
  }
}

function typedWords(question: Question, text: string): string {
  if (question.kind === 'write') return visible(text.trim().replaceAll(/\s+/g, ' '));
  if (!/^\d+$/.test(text) || question.kind === 'access' || BigInt(text) < 10n) return text;
  return `${text}, or 0x${BigInt(text).toString(16)}`;
}

function chosenWords(question: Question, option: number): string {
  const chosen = question.kind === 'choice' ? question.options[option] : undefined;
  if (chosen === undefined) return '';
  return visible(withoutMarks(`${chosen.text}. ${chosen.why}`.replace('..', '.')));
}

async function placeWords(open: OpenLesson, at: string): Promise<string> {
  const words = drawnName(decodeKey(at).replace('=', ' '));
  const file = fileOfKey(placeOfStep(open, open.stepIndex).file);
  const model = modelOf(file);
  if (file === null || model === null) return words;
  const span = selectionSpan(model, selectionAt(model, at));
  if (span === null) return words;
  const field = await withBytes(file.id, (read) =>
    fieldsAt(model, span.start, read)
      .filter(({ kind, span: own }) => kind !== 'bits' && own.end >= span.end)
      .at(-1),
  );
  const length = span.end - span.start;
  const bytes = `0x${span.start.toString(16)}, ${counted(length, 'byte')}`;
  return field === undefined ? `${words} (${bytes})` : `${drawnName(field.label)} (${bytes})`;
}
