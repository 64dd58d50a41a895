/**
 * Where a record's access goes in the target: the path that the resolver has
 * found, or as far as it came. The path is the resolver's own, index by index;
 * here it is only followed once more so that it can be drawn like the local one.
 */
import { type AccessPath, walkAccess } from '#analysis/core/access-path.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import type { Candidate, Miss, TraceStep } from '#analysis/core/trace.ts';
import { parseSpec } from '#analysis/log/spec-line.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

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
