/**
 * The right answer of a question, worked out from the open file: what `Show me` shows,
 * what the notes of a presenter say, and what the tests of our lessons give.
 */
import { accessPathOf } from '#analysis/core/playground.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { accessOfNames } from '#analysis/paths/playground-names.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { PlaceText, Question } from './lesson.ts';
import { countIn } from './own-counts.ts';

/** An answer as a learner gives it. */
export type GivenAnswer =
  /** Something selected in the tool, in the words of an address: `bytes=.BTF@0x0-0x2`. */
  | { readonly kind: 'place'; readonly at: PlaceText }
  | { readonly kind: 'typed'; readonly text: string }
  /** An option of a choice, from 0. */
  | { readonly kind: 'chosen'; readonly option: number };

/**
 * Null if the file has none: no such type, an invalid path, a record that is not resolved.
 * `model` is that of the step's file, `result` is what came of the record that an `ask value`
 * is about.
 */
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

/** The access string of `path`, written in C, from the type of that key; null where it leads nowhere. */
function accessAnswer(types: TypeTable, rootKey: string, path: string): string | null {
  const key = parseTypeKey(rootKey);
  const root = key && findTypeKey(types, key);
  if (root === null) return null;
  const named = accessOfNames(types, root, path);
  if (!('accessStr' in named)) return null;
  const { accessStr } = named;
  return accessPathOf(types, { root, accessStr }).error === null ? accessStr : null;
}

/** The number that is written into the instruction, unsigned, or `poison`; null where nothing is. */
function valueAnswer(result: CoreResult | null): string | null {
  const decision = result?.decision ?? null;
  if (result?.status === 'poisoned' || decision?.poison) return 'poison';
  return decision === null ? null : `${decision.newVal}`;
}
