/** Checks answers to a lesson's questions with the functions of the page, without a page. */
import { accessPathOf } from '#analysis/core/playground.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import { type Answer, checkAccess, checkClick, checkNumber } from '#lessons/check-answer.ts';
import { checkCount, checkValue } from '#lessons/check-value.ts';
import { checkWrite } from '#lessons/check-write.ts';
import type { Question } from '#lessons/lesson.ts';
import { type GivenAnswer, rightAnswer } from '#lessons/right-answer.ts';
import { type LessonFile, lessonFile, placeIn } from './lesson-files.ts';

/** Checks an answer. Rejects if its kind does not fit, or if the question has no right answer. */
export async function checkPlannedAnswer(
  question: Question,
  given: GivenAnswer,
  file: LessonFile,
  result: CoreResult | null,
): Promise<Answer> {
  const { model, read } = file;
  if (question.kind === 'click' && given.kind === 'place') {
    const clicked = placeIn(file, given.at).selection;
    return checkClick(model, clicked, placeIn(file, question.at).selection, read);
  }
  if (question.kind === 'choice' && given.kind === 'chosen') {
    const option = question.options[given.option];
    if (option !== undefined) return option;
  }
  if (given.kind !== 'typed') throw new Error(`${given.kind} is no answer to ${question.kind}`);
  switch (question.kind) {
    case 'write':
      return checkWrite(question, given.text);
    case 'number':
      return checkNumber(given.text, question.value, question);
    case 'count':
      return checkCount(given.text, model, question.of);
    case 'access': {
      const key = parseTypeKey(question.root);
      const root = model.types && key && findTypeKey(model.types, key);
      const right = rightAnswer(question, model);
      if (model.types === null || root === null || right?.kind !== 'typed') break;
      const wanted = accessPathOf(model.types, { root, accessStr: right.text });
      return checkAccess(model.types, root, wanted, given.text);
    }
    case 'value': {
      const target = (await lessonFile(question.target)).model.types;
      if (result !== null) return checkValue(given.text, result, target, model.endian);
    }
  }
  throw new Error(`no right answer to ${question.kind}`);
}
