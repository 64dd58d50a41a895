/** Numbers the wrong answers to a question, so that a progress code can carry them as bits. */
import { checkNumber } from './check-answer.ts';
import type { Question } from './lesson.ts';
import type { GivenAnswer } from './right-answer.ts';

/** Number of all wrong answers that the lesson does not list, and of those past the first seven. */
export const OTHER_WRONG = 7;

/** Returns the texts of the answers that the lesson lists, by number: options, and likely values. */
export function listedAnswers(question: Question): readonly string[] {
  const all =
    question.kind === 'choice'
      ? question.options.map(({ text }) => text)
      : question.kind === 'number'
        ? question.nearMisses.map(({ value }) => `${value}`)
        : [];
  return all.slice(0, OTHER_WRONG);
}

/** Returns the number of a wrong answer. A click (null) is none that the lesson lists. */
export function wrongNumber(question: Question, given: GivenAnswer | null): number {
  if (question.kind === 'choice' && given?.kind === 'chosen') {
    return Math.min(given.option, OTHER_WRONG);
  }
  if (question.kind !== 'number' || given?.kind !== 'typed') return OTHER_WRONG;
  const { unit, why, nearMisses } = question;
  const index = nearMisses.findIndex(
    ({ value }) => checkNumber(given.text, value, { unit, why, nearMisses: [] }).isRight,
  );
  return index < 0 ? OTHER_WRONG : Math.min(index, OTHER_WRONG);
}
