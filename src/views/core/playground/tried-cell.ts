/** What a kind comes to on a kernel, beside what it is here. */
import type { CoreResult } from '#analysis/core/resolve.ts';
import { signedText } from '#views/core/result-text.ts';

export type TriedCell = {
  readonly text: string;
  readonly state: 'same' | 'differs' | 'absent' | 'none';
  /** In words, for a closer look. Raw names. */
  readonly title: string;
};

/** `field_exists`, `type_exists`, `enumval_exists`, `type_matches`: 0 is an answer. */
const QUESTIONS: ReadonlySet<number> = new Set([2, 8, 10, 12]);

export function triedCell({
  record,
  decision,
  reason,
}: Pick<CoreResult, 'record' | 'decision' | 'reason'>): TriedCell {
  if (decision === null) return { text: 'fails', state: 'none', title: reason };
  const { origVal, newVal, poison } = decision;
  if (poison) return { text: 'not there', state: 'absent', title: reason };
  const text = signedText(newVal);
  if (QUESTIONS.has(record.kind) && newVal === 0n) return { text, state: 'absent', title: reason };
  return { text, state: newVal === origVal ? 'same' : 'differs', title: reason };
}
