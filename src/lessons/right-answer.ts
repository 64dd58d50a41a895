/** Computes the right answer of a question, and hides the answer in the texts of its step. */

import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { accessPathOf } from '#analysis/core/playground.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { accessOfNames } from '#analysis/paths/playground-names.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import { append } from '#bytes/arrays.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { countIn } from './check-value.ts';
import type { PlaceText, Question, Step } from './lesson.ts';

/** An answer as the learner gives it. */
export type GivenAnswer =
  /** The selected place as in an address: `bytes=.BTF@0x0-0x2`. */
  | { readonly kind: 'place'; readonly at: PlaceText }
  | { readonly kind: 'typed'; readonly text: string }
  /** Index of the chosen option. */
  | { readonly kind: 'chosen'; readonly option: number };

/** Returns the right answer or null. `model` is the step's file. `ask value` needs `result`. */
export function rightAnswer(
  question: Question,
  model: ObjectModel | null,
  result: CoreResult | null = null,
): GivenAnswer | null {
  const types = model?.types ?? null;
  switch (question.kind) {
    case 'click':
      return { kind: 'place', at: question.at };
    case 'access':
      return typed(types === null ? null : accessAnswer(types, question.root, question.path));
    case 'value':
      return typed(valueAnswer(result));
    case 'number':
      return typed(`${question.value}`);
    case 'count':
      return typed(model === null ? null : `${countIn(model, question.of)}`);
    case 'write':
      return typed(question.right);
    case 'choice':
      return { kind: 'chosen', option: question.options.findIndex(({ isRight }) => isRight) };
  }
}

function typed(text: string | null): GivenAnswer | null {
  return text === null ? null : { kind: 'typed', text };
}

/** Returns the access string of the C path `path` from the type `rootKey`; null if it is wrong. */
function accessAnswer(types: TypeTable, rootKey: string, path: string): string | null {
  const key = parseTypeKey(rootKey);
  const root = key && findTypeKey(types, key);
  if (root === null) return null;
  const access = accessOfNames(types, root, path);
  if (!('accessStr' in access)) return null;
  const { accessStr } = access;
  return accessPathOf(types, { root, accessStr }).error === null ? accessStr : null;
}

/** Returns the number that libbpf writes, or `poison`; null for a record that is not resolved. */
function valueAnswer(result: CoreResult | null): string | null {
  const decision = result?.decision ?? null;
  if (result?.status === 'poisoned' || decision?.poison) return 'poison';
  return decision === null ? null : `${decision.newVal}`;
}

/** Matches a digit. It has many meanings, so it is hidden only if it is a whole code span. */
const SHORT = /^\d$/;

/** Returns a pattern that finds a number or access string in a text; null for other answers. */
function patternOf(answer: GivenAnswer | null): RegExp | null {
  if (answer?.kind !== 'typed') return null;
  const { text } = answer;
  if (/^\d+(:\d+)+$/.test(text)) return new RegExp(`(?<![\\w:])${text}(?![\\w:])`, 'g');
  if (!/^\d+$/.test(text)) return null;
  const hex = BigInt(text).toString(16);
  return new RegExp(`(?<![\\w.:@+-])(?:${text}|0x0*${hex})(?![\\w:@]|[.-]\\w)`, 'gi');
}

/** Replaces the answer in a text by `…`. `isCode` is true if the text is a whole code span. */
export function withoutAnswer(text: string, answer: GivenAnswer | null, isCode: boolean): string {
  const pattern = patternOf(answer);
  if (pattern === null) return text;
  const isShort = answer?.kind === 'typed' && SHORT.test(answer.text);
  if (isShort && (!isCode || text.replace(pattern, '') !== '')) return text;
  return text.replaceAll(pattern, '…');
}

/** Returns a message for the author if the step's text or a callout has the answer; else null. */
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
