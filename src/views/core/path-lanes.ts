/**
 * A local path and the target's beside each other.
 *
 * What corresponds is the accessors, the steps with a name or a number: libbpf
 * looks those up one by one. Members without a name may stand between them on one
 * side only; they belong to the accessor behind them.
 */
import type { AccessPath, AccessStep } from '#analysis/core/access-path.ts';

/** For each step the number of the accessor that it leads to. */
function accessorNumbers(steps: readonly AccessStep[]): number[] {
  let number = 0;
  return steps.map(({ means }) => (means === 'anonymous-member' ? number : number++));
}

/** The target's step that does what the local one does; null where the target's path does not come so far. */
export function targetStepOf(local: AccessPath, target: AccessPath, step: number): number | null {
  const own = accessorNumbers(local.steps);
  const number = own[step];
  if (number === undefined) return null;
  const theirs = accessorNumbers(target.steps);
  const first = theirs.indexOf(number);
  if (first < 0) return null;
  const last = theirs.lastIndexOf(number);
  if (local.steps[step]?.means !== 'anonymous-member') return last;
  return Math.min(last, first + (step - own.indexOf(number)));
}

/**
 * The first of the target's steps that takes another index or comes to another bit
 * than the local one at its place; `steps.length` where it only ends elsewhere,
 * null where both are alike to the end.
 */
export function departsAt(local: AccessPath, target: AccessPath): number | null {
  for (const [at, step] of target.steps.entries()) {
    const own = local.steps[at];
    if (own === undefined || own.index !== step.index || own.means !== step.means) return at;
    if (own.bitOffset !== step.bitOffset || own.bitfieldSize !== step.bitfieldSize) return at;
  }
  return target.steps.length === local.steps.length ? null : target.steps.length;
}
