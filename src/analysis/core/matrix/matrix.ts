/** States of an object's CO-RE records on several targets, and the guards of poisoned accesses. */
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-records.ts';
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type GuardIndex, guardIndex, guardOf } from './guards.ts';

/** States of a record, from harmless to harmful. */
export const MATRIX_STATES: readonly CoreState[] = [
  'same',
  'changed',
  'absent',
  'poisoned',
  'fails',
];

/** Target and the results of the records on the target. */
export type MatrixColumn = {
  /** Name of the target, not escaped. */
  readonly name: string;
  /** One result per record, in the order of the records; null before they are computed. */
  readonly results: readonly CoreResult[] | null;
};

export type CoreMatrix = {
  readonly types: TypeTable;
  readonly records: readonly CoreObjectRecord[];
  readonly columns: readonly ResolvedColumn[];
};

export type ResolvedColumn = MatrixColumn & {
  /** By record: its state as an index into `MATRIX_STATES`; empty before results exist. */
  readonly states: Uint8Array;
  /** By record: row of the check that guards the record; -1 for none. */
  readonly guards: Int32Array;
  /** Number of records per state, in the order of `MATRIX_STATES`. */
  readonly counts: readonly number[];
};

type MatrixSource = Pick<CoreObject, 'types' | 'records'>;

/** Returns the matrix of an object. A column with unchanged results is reused. */
export function coreMatrix(local: MatrixSource, columns: readonly MatrixColumn[]): CoreMatrix {
  const { types, records } = local;
  return { types, records, columns: columns.map((column) => resolvedColumn(local, column)) };
}

const NO_RESULTS: Pick<ResolvedColumn, 'states' | 'guards' | 'counts'> = {
  states: new Uint8Array(0),
  guards: new Int32Array(0),
  counts: MATRIX_STATES.map(() => 0),
};

const resolved = new WeakMap<readonly CoreResult[], ResolvedColumn>();
const guards = new WeakMap<readonly CoreObjectRecord[], GuardIndex>();

/** Returns the previous column for the same results, so that its cells are not drawn again. */
function resolvedColumn(local: MatrixSource, { name, results }: MatrixColumn): ResolvedColumn {
  if (results === null) return { name, results, ...NO_RESULTS };
  const known = resolved.get(results);
  if (known?.name === name) return known;
  const index = getOrCreate(guards, local.records, () => guardIndex(local));
  const column = { ...(known ?? { results, ...cellsOf(index, results) }), name };
  resolved.set(results, column);
  return column;
}

function cellsOf(index: GuardIndex, results: readonly CoreResult[]) {
  const states = new Uint8Array(results.length);
  const guards = new Int32Array(results.length).fill(-1);
  const counts = MATRIX_STATES.map(() => 0);
  for (const [row, result] of results.entries()) {
    const state = MATRIX_STATES.indexOf(coreState(result));
    states[row] = state;
    counts[state] = (counts[state] ?? 0) + 1;
    guards[row] = guardOf(index, results, row) ?? -1;
  }
  return { states, guards, counts };
}

/** Returns the state of a cell; null if its target has no results yet. */
export function stateAt({ states }: Pick<ResolvedColumn, 'states'>, row: number): CoreState | null {
  const state = states[row];
  return state === undefined ? null : (MATRIX_STATES[state] ?? null);
}

/** Returns the record of the check that guards a poisoned cell, or null. */
export function guardAt(
  { guards }: Pick<ResolvedColumn, 'guards'>,
  records: readonly CoreObjectRecord[],
  row: number,
): CoreObjectRecord | null {
  return records[guards[row] ?? -1] ?? null;
}
