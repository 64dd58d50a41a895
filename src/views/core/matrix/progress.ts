import type { CoreTask } from '#store/core-results.ts';

/** How much is done of one column, 0 to 1. */
export function columnFraction(outcome: CoreTask | null): number {
  switch (outcome?.step) {
    case undefined:
      return 0;
    case 'running':
      return outcome.total === 0 ? 0 : outcome.done / outcome.total;
    default:
      return 1;
  }
}

/** How much is done of all columns, 0 to 1; 1 where there are none. */
export function doneFraction(outcomes: readonly (CoreTask | null)[]): number {
  if (outcomes.length === 0) return 1;
  return outcomes.reduce((sum, outcome) => sum + columnFraction(outcome), 0) / outcomes.length;
}
