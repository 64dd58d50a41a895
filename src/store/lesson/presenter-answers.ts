/** The right answer of a step in words, for the presenter's notes and the last page of a handout. */
import { selectionSpan } from '#analysis/selection/selection.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import { counted, drawnName, visible } from '#bytes/text.ts';
import { withoutMarks } from '#lessons/inline-text.ts';
import type { Question } from '#lessons/lesson.ts';
import { fileOfKey } from '#store/address/file-keys.ts';
import { decodeKey } from '#store/page/percent.ts';
import { modelOf } from '#store/session/session.ts';
import { rightOf } from './check-step.ts';
import type { OpenLesson } from './lesson-state.ts';
import { withBytes } from './open-read.ts';
import { placeOfStep, selectionAt } from './step-place.ts';

/** Returns the right answer as one sentence, safe to draw. Opens the files of the question. */
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
