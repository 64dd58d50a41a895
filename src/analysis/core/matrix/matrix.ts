/**
 * The CO-RE records of an object × the targets that they were resolved against.
 *
 * In: the object's records and, for each target, its results where they are
 * there. Out: the state of each cell in a byte, what keeps a poisoned access from
 * being reached, and counts. Nothing is copied from the results: a cell is looked
 * up in them when it is drawn. How rows are grouped is in `groups.ts`.
 */
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-records.ts';
import { type CoreState, coreState } from '#analysis/core/outcome.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { keptIn } from '#bytes/keep.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type GuardIndex, guardIndex, guardOf } from './guards.ts';

/** From what needs no look to what keeps an object from loading: a larger number is worse. */
export const MATRIX_STATES: readonly CoreState[] = [
  'same',
  'changed',
  'absent',
  'poisoned',
  'fails',
];

/** A target and what came of it. */
export type MatrixColumn = {
  /** Raw text. */
  readonly name: string;
  /** One for each record, in their order; null while there are none. */
  readonly results: readonly CoreResult[] | null;
};

export type CoreMatrix = {
  readonly types: TypeTable;
  readonly records: readonly CoreObjectRecord[];
  readonly columns: readonly ResolvedColumn[];
};

export type ResolvedColumn = MatrixColumn & {
  /** For each record the index of its state in `MATRIX_STATES`; empty while there are no results. */
  readonly states: Uint8Array;
  /** For each record the row of the check that guards it, -1 where there is none. */
  readonly guards: Int32Array;
  /** Records in each state, by its index in `MATRIX_STATES`. */
  readonly counts: readonly number[];
};

type MatrixSource = Pick<CoreObject, 'types' | 'records'>;

/** The matrix of an object on these targets. Columns whose results are the same as before cost nothing. */
export function coreMatrix(local: MatrixSource, columns: readonly MatrixColumn[]): CoreMatrix {
  const { types, records } = local;
  return { types, records, columns: columns.map((column) => resolvedColumn(local, column)) };
}

const NOTHING: Pick<ResolvedColumn, 'states' | 'guards' | 'counts'> = {
  states: new Uint8Array(0),
  guards: new Int32Array(0),
  counts: MATRIX_STATES.map(() => 0),
};

const resolved = new WeakMap<readonly CoreResult[], ResolvedColumn>();
const guards = new WeakMap<readonly CoreObjectRecord[], GuardIndex>();

/** The same column as before for the same results, so that what is drawn of it stays. */
function resolvedColumn(local: MatrixSource, { name, results }: MatrixColumn): ResolvedColumn {
  if (results === null) return { name, results, ...NOTHING };
  const known = resolved.get(results);
  if (known?.name === name) return known;
  const index = keptIn(guards, local.records, () => guardIndex(local));
  const column = { ...(known ?? { results, ...lookAt(index, results) }), name };
  resolved.set(results, column);
  return column;
}

function lookAt(index: GuardIndex, results: readonly CoreResult[]) {
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

/** The state of a cell; null while its target has no results. */
export function stateAt({ states }: Pick<ResolvedColumn, 'states'>, row: number): CoreState | null {
  const state = states[row];
  return state === undefined ? null : (MATRIX_STATES[state] ?? null);
}

/** The check that guards a poisoned cell; null where none does. */
export function guardAt(
  { guards }: Pick<ResolvedColumn, 'guards'>,
  records: readonly CoreObjectRecord[],
  row: number,
): CoreObjectRecord | null {
  return records[guards[row] ?? -1] ?? null;
}
