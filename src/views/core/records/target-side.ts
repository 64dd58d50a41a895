/**
 * Where a record's access goes in the target: the path that the resolver has
 * found, or as far as it came. The path is the resolver's own, index by index;
 * here it is only followed once more so that it can be drawn like the local one.
 */

import { type AccessPath, type AccessStep, walkAccess } from '#analysis/core/access-path.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import type { Candidate, Miss, TraceStep } from '#analysis/core/trace.ts';
import { parseSpec } from '#analysis/log/libbpf-lines.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ChosenTarget } from '#store/core-target.ts';

export type TargetSide = {
  /** The types that all ids of this side speak of. */
  readonly types: TypeTable;
  /** The candidate. */
  readonly root: TypeId;
  /** null where the log does not tell how far the search came. */
  readonly path: AccessPath | null;
  /** Why this candidate does not match; null where it does. */
  readonly miss: Miss | null;
};

/** The first candidate that matches, else the first that was tried; null where there is none. */
export function targetSide(result: CoreResult, target: CoreTarget): TargetSide | null {
  const { matched, targetSpec, record, steps } = result;
  const [first] = matched;
  const { kind } = record;
  if (first !== undefined && targetSpec !== null) {
    const types = target.tables[first.table]?.types;
    if (types === undefined) return null;
    const accessStr = coreKind(kind)?.group === 'type' ? '0' : targetSpec.raw.join(':');
    return {
      types,
      root: first.id,
      path: walkAccess(types, first.id, accessStr, kind),
      miss: null,
    };
  }
  const trial = triedFirst(steps);
  const types = trial && target.tables[trial.candidate.table]?.types;
  if (trial === null || types === undefined || types === null) return null;
  const { verdict, candidate, spec } = trial;
  const miss = verdict.outcome === 'miss' ? verdict.miss : null;
  return { types, root: candidate.id, path: pathOfLog(types, candidate, kind, spec), miss };
}

type Trial = Extract<TraceStep, { readonly step: 'trial' }>;

function triedFirst(steps: readonly TraceStep[]): Trial | null {
  const trials = steps.filter((step) => step.step === 'trial');
  return trials.find(({ verdict }) => verdict.outcome === 'match') ?? trials[0] ?? null;
}

/** The path of a line of libbpf's log, where its indices lead to the offset that stands beside them. */
function pathOfLog(
  types: TypeTable,
  { id }: Candidate,
  kind: number,
  text: string,
): AccessPath | null {
  if (coreKind(kind)?.group === 'type') return walkAccess(types, id, '0', kind);
  const spec = parseSpec(text);
  if (spec === null || spec.accessStr === null) return null;
  const path = walkAccess(types, id, spec.accessStr, kind);
  return path.error === null && Number(path.bitOffset) === spec.bitOffset ? path : null;
}

/** One record, its target, and what the resolver made of the two: what all parts of the inspector draw. */
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

/**
 * A local path and the target's beside each other.
 *
 * What corresponds is the accessors, the steps with a name or a number: libbpf
 * looks those up one by one. Members without a name may stand between them on one
 * side only; they belong to the accessor behind them.
 */

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
