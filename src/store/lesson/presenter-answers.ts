/** The right answer of a step in words: for the notes of whoever presents, and the last page of a handout. */
import { selectionSpan } from '#analysis/code/selection.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { Question } from '#lessons/lesson.ts';
import type { GivenAnswer } from '#lessons/right-answer.ts';
import { decodeKey } from '#store/selection-keys.ts';
import { fileById, session } from '#store/session.ts';
import { rightOf } from './check-step.ts';
import type { OpenLesson } from './lesson-state.ts';
import { withBytes } from './open-read.ts';
import { fileOfKey, placeOfStep, selectionAt } from './step-place.ts';

/** One sentence; fit to be drawn. Opens the files that it is worked out from. */
export async function answerWords(open: OpenLesson, question: Question): Promise<string> {
  const right = await rightOf(open, question);
  if (right === null) return 'The open files have no answer.';
  switch (right.kind) {
    case 'typed':
      return typedWords(question, right.text);
    case 'chosen':
      return chosenWords(question, right);
    case 'place':
      return await placeWords(open, right.at);
  }
}

function typedWords(question: Question, text: string): string {
  const isNumber = /^\d+$/.test(text) && question.kind !== 'access';
  if (!isNumber) return text;
  const hex = `0x${BigInt(text).toString(16)}`;
  return BigInt(text) < 10n ? text : `${text}, or ${hex}`;
}

function chosenWords(question: Question, right: GivenAnswer): string {
  const option =
    question.kind === 'choice' && right.kind === 'chosen'
      ? question.options[right.option]
      : undefined;
  if (option === undefined) return '';
  return visible(`${option.text}. ${option.why}`.replace('..', '.').replaceAll('`', ''));
}

async function placeWords(open: OpenLesson, at: string): Promise<string> {
  const words = drawnName(decodeKey(at).replace('=', ' '));
  const { file: key } = placeOfStep(open, open.stepIndex);
  const file = fileById(session.getState(), fileOfKey(session.getState(), key)?.id ?? null);
  if (file?.status.step !== 'ready') return words;
  const { model } = file.status;
  const span = selectionSpan(model, selectionAt(model, at));
  if (span === null) return words;
  const owner = await withBytes(file.id, (read) =>
    fieldsAt(model, span.start, read)
      .filter(({ kind, span: own }) => kind !== 'bits' && own.end >= span.end)
      .at(-1),
  );
  const length = span.end - span.start;
  const bytes = `0x${span.start.toString(16)}, ${length} ${length === 1 ? 'byte' : 'bytes'}`;
  return owner === undefined ? `${words} (${bytes})` : `${drawnName(owner.label)} (${bytes})`;
}
