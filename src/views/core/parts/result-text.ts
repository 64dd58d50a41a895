/** Results of the resolver as short texts for lists. */
import { coreState } from '#analysis/core/outcome.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';

/** Without sign in the log; a value that is negative as 64 bits reads better with it. */
export function signedText(value: bigint): string {
  return `${BigInt.asIntN(64, value)}`;
}

/**
 * What is written in place of what: `8 → 16`, `8` where it stays, `8 → invalid`
 * where the instruction is; sizes where they change too. Empty where there is no number.
 */
export function changeText(
  result: Pick<CoreResult, 'record' | 'status' | 'decision' | 'matched'>,
): string {
  const { decision } = result;
  if (decision === null) return '';
  const { origVal, newVal, origSz, newSz } = decision;
  const from = signedText(origVal);
  switch (coreState(result)) {
    case 'same':
      return from;
    case 'poisoned':
      return `${from} → invalid`;
    case 'fails':
      return `${from} → refused`;
    default: {
      const value = origVal === newVal ? from : `${from} → ${signedText(newVal)}`;
      return origSz === newSz ? value : `${value}, ${origSz} → ${newSz} bytes`;
    }
  }
}
