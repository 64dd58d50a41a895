import type { CoreTarget } from '#analysis/core/candidates.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import type { CoreRecord } from '#analysis/core/core-records.ts';
import { type AccessPath, type AccessStep, walkAccess } from '#analysis/core/parse-spec.ts';
import type { LocalValue } from '#analysis/core/patch-insn.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { Candidate, Miss, TraceStep } from '#analysis/core/trace.ts';
import { parseSpec } from '#analysis/log/libbpf-lines.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ChosenTarget } from '#store/kernels/core-results.ts';
import type { FileId } from '#store/session/session.ts';

export type TargetSide = {
  /** Type table that `root` and the ids in `path` refer to. */
  readonly types: TypeTable;
  readonly root: TypeId;
  /** Path of the access in the target; null if the log does not say where the search ended. */
  readonly path: AccessPath | null;
  /** Why the candidate does not match; null if it matches. */
  readonly miss: Miss | null;
};

/** Returns the first candidate that matches, else the first one tried; null if there is none. */
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

/** Returns the path of a spec that libbpf logs; null if it leads to another offset than logged. */
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

/** Target, and the result of a record on the target. */
export type Compared = {
  readonly chosen: ChosenTarget;
  /** Result of the record. The worker adds the steps later. */
  readonly result: CoreResult;
  /** Matching candidate, else the first tried; null if none or if libbpf ignores the target. */
  readonly side: TargetSide | null;
};

/** Properties of each section about the selected record. */
export type InspectedRecord = {
  readonly id: FileId;
  readonly model: ObjectModel;
  /** Type table of the BPF object. */
  readonly types: TypeTable;
  readonly record: CoreRecord;
  readonly path: AccessPath;
  readonly local: LocalValue;
  /** Position of the selected index in the access string, from 0; null for the whole string. */
  readonly step: number | null;
  readonly compared: Compared | null;
};

/** Returns a record's result on the target; null without a target or result. */
export function compare(chosen: ChosenTarget | null, result: CoreResult | null): Compared | null {
  if (chosen === null || result === null) return null;
  return { chosen, result, side: targetSide(result, chosen.target) };
}

/** Numbers the steps. Anonymous members are not counted: they share the next step's number. */
function accessorNumbers(steps: readonly AccessStep[]): number[] {
  let number = 0;
  return steps.map(({ means }) => (means === 'anonymous-member' ? number : number++));
}

/** Returns the target's step for a local step; null if the target's path has no such step. */
export function targetStepOf(local: AccessPath, target: AccessPath, step: number): number | null {
  const localNumbers = accessorNumbers(local.steps);
  const number = localNumbers[step];
  if (number === undefined) return null;
  const targetNumbers = accessorNumbers(target.steps);
  const first = targetNumbers.indexOf(number);
  if (first < 0) return null;
  const last = targetNumbers.lastIndexOf(number);
  if (local.steps[step]?.means !== 'anonymous-member') return last;
  return Math.min(last, first + (step - localNumbers.indexOf(number)));
}

/** Returns the first step of the target that differs from the local step; null if all are equal. */
export function departsAt(local: AccessPath, target: AccessPath): number | null {
  const at = target.steps.findIndex((step, i) =>
    COMPARED_FIELDS.some((field) => local.steps[i]?.[field] !== step[field]),
  );
  if (at >= 0) return at;
  return target.steps.length === local.steps.length ? null : target.steps.length;
}

const COMPARED_FIELDS = ['index', 'means', 'bitOffset', 'bitfieldSize'] as const;
