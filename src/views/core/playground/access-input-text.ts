/** What is wrong with the typed text of an access, and where. */
import type { AccessPath } from '#analysis/core/access-path.ts';
import { indexPlace } from '#analysis/core/playground.ts';
import { accessOfNames } from '#analysis/paths/playground-names.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type TextFault = {
  /** Characters from the start of the text. */
  readonly start: number;
  readonly length: number;
  /** Raw names. */
  readonly sentence: string;
};

/** Why an access string ends where it does; null where it is whole. */
export function faultOf({ accessStr, error }: AccessPath): TextFault | null {
  if (error === null) return null;
  const { atStep, message } = error;
  // A wrong root is told at the first index that cannot be taken in it.
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
  return { ...indexPlace(accessStr, atStep), sentence };
}

/** The access string of names, or what is wrong with them. */
export function namedFault(
  t: TypeTable,
  root: TypeId,
  names: string,
): TextFault | { readonly accessStr: string } {
  const found = accessOfNames(t, root, names);
  if ('accessStr' in found) return found;
  const { start, length, fault, near } = found;
  const word = names.slice(start, start + length);
  const meant = near.length === 0 ? '' : ` Did you mean: ${near.join(', ')}.`;
  return { start, length, sentence: `${faultText(fault, word, typeExpression(t, root))}${meant}` };
}

function faultText(
  fault: 'syntax' | 'no-member' | 'not-composite' | 'not-array' | 'outside' | 'no-enumerator',
  word: string,
  root: string,
): string {
  switch (fault) {
    case 'syntax':
      return 'Not a member path: write a.b[2].';
    case 'no-member':
      return `No member ${word} here.`;
    case 'no-enumerator':
      return `${root} has no enumerator ${word}.`;
    case 'not-composite':
      return `The type before ${word} has no members.`;
    case 'not-array':
      return `The type before [${word}] is not an array.`;
    case 'outside':
      return `Element ${word} is outside the array.`;
  }
}
