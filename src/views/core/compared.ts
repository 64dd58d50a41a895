/** One record, its target, and what the resolver made of the two: what all parts of the inspector draw. */
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import { type TargetSide, targetSide } from './target-side.ts';

export type Compared = {
  readonly chosen: ChosenTarget;
  /** With all its steps once they have come. */
  readonly result: CoreResult;
  /** null where the target has no candidate, and where it is not asked. */
  readonly side: TargetSide | null;
};

/** Joins what is known; null without a target or before it has answered. */
export function compare(chosen: ChosenTarget | null, result: CoreResult | null): Compared | null {
  if (chosen === null || result === null) return null;
  return { chosen, result, side: targetSide(result, chosen.target) };
}
