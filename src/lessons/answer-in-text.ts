/** Where the text of a step has the answer to its own question. */
import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { append } from '#bytes/append.ts';
import type { Step } from './lesson.ts';
import type { GivenAnswer } from './right-answer.ts';

/** A number of one digit has many meanings: it counts only where it is a whole piece of code. */
const SHORT = /^\d$/;

/**
 * What a text has in place of an answer that is typed, for `String.replaceAll`; null where nothing is
 * hidden: a place, an option, C, `poison`.
 */
function patternOf(answer: GivenAnswer | null): RegExp | null {
  if (answer?.kind !== 'typed') return null;
  const { text } = answer;
  if (/^\d+(:\d+)+$/.test(text)) return new RegExp(`(?<![\\w:])${text}(?![\\w:])`, 'g');
  if (!/^\d+$/.test(text)) return null;
  const hex = BigInt(text).toString(16);
  return new RegExp(`(?<![\\w.:@+-])(?:${text}|0x0*${hex})(?![\\w:@]|[.-]\\w)`, 'gi');
}

/** A text with `…` in place of the answer. `isCode`: it is all of a piece of code. */
export function withoutAnswer(text: string, answer: GivenAnswer | null, isCode: boolean): string {
  const pattern = patternOf(answer);
  if (pattern === null) return text;
  const isShort = answer?.kind === 'typed' && SHORT.test(answer.text);
  if (isShort && (!isCode || text.replace(pattern, '') !== '')) return text;
  return text.replaceAll(pattern, '…');
}

/** What is said to an author whose step has the answer in its text or at its pins; null where it does not. */
export function givenAway({ text, callouts }: Step, answer: GivenAnswer | null): string | null {
  if (answer?.kind !== 'typed') return null;
  const pinned = callouts.flatMap((callout) => fromMarkdown(callout.text).children);
  const open: RootContent[] = [...text, ...pinned];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('children' in node) append(open, node.children);
    else if ('value' in node && withoutAnswer(node.value, answer, isCode(node)) !== node.value)
      return `The text has the answer, ${answer.text}: it is hidden until the question is answered`;
  }
  return null;
}

function isCode({ type }: RootContent): boolean {
  return type === 'inlineCode';
}
