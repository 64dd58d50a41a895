/** Hides the answer of a step's question in the text of the step. */
import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { append } from '#bytes/arrays.ts';
import type { Step } from './lesson.ts';
import type { GivenAnswer } from './right-answer.ts';

/** A single digit has many meanings: it is hidden only if it is a whole piece of code. */
const SHORT = /^\d$/;

/** Returns a pattern of a typed number or access string; null for places, options, C and `poison`. */
function patternOf(answer: GivenAnswer | null): RegExp | null {
  if (answer?.kind !== 'typed') return null;
  const { text } = answer;
  if (/^\d+(:\d+)+$/.test(text)) return new RegExp(`(?<![\\w:])${text}(?![\\w:])`, 'g');
  if (!/^\d+$/.test(text)) return null;
  const hex = BigInt(text).toString(16);
  return new RegExp(`(?<![\\w.:@+-])(?:${text}|0x0*${hex})(?![\\w:@]|[.-]\\w)`, 'gi');
}

/** Replaces the answer in a text by `…`. `isCode` is true for the whole text of a code span. */
export function withoutAnswer(text: string, answer: GivenAnswer | null, isCode: boolean): string {
  const pattern = patternOf(answer);
  if (pattern === null) return text;
  const isShort = answer?.kind === 'typed' && SHORT.test(answer.text);
  if (isShort && (!isCode || text.replace(pattern, '') !== '')) return text;
  return text.replaceAll(pattern, '…');
}

/** Returns a message for the author if the text or a callout of a step has the answer; else null. */
export function givenAway({ text, callouts }: Step, answer: GivenAnswer | null): string | null {
  if (answer?.kind !== 'typed') return null;
  const calloutNodes = callouts.flatMap((callout) => fromMarkdown(callout.text).children);
  const open: RootContent[] = [...text, ...calloutNodes];
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
