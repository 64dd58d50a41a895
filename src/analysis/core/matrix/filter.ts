/** Filters the rows of a matrix of records and targets. */
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreState } from '#analysis/core/reason.ts';
import { fieldLabel } from './groups.ts';
import { type CoreMatrix, MATRIX_STATES } from './matrix.ts';

/** Rows to show. `changed`: some target has a state other than `same`. `unlike`: targets differ. */
export type RowChoice = 'all' | 'changed' | 'unlike';

export type MatrixFilter = {
  readonly show: RowChoice;
  /** States of which a row must have at least one; empty for no condition. */
  readonly states: ReadonlySet<CoreState>;
  /** Words that a row must contain, separated by spaces. */
  readonly text: string;
};

/** Returns 1 for each row that passes the filter, else 0. Ignores targets without results. */
export function passingRows(matrix: CoreMatrix, { show, states, text }: MatrixFilter): Uint8Array {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = MATRIX_STATES.map((state) => states.has(state));
  const passing = new Uint8Array(matrix.records.length);
  for (let row = 0; row < passing.length; row++) {
    if (show === 'changed' && !matrix.columns.some(({ states }) => (states[row] ?? 0) !== 0))
      continue;
    if (show === 'unlike' && !isUnlike(matrix, row)) continue;
    if (states.size > 0 && !matrix.columns.some(({ states }) => wanted[states[row] ?? -1] === true))
      continue;
    if (words.length > 0) {
      const found = searchText(matrix, row);
      if (!words.every((word) => found.includes(word))) continue;
    }
    passing[row] = 1;
  }
  return passing;
}

/** Returns true if targets differ in state, or in the number or size that libbpf writes. */
function isUnlike({ columns }: CoreMatrix, row: number): boolean {
  const answered = columns.filter(({ results }) => results !== null);
  const [first] = answered;
  if (first === undefined) return false;
  const state = first.states[row];
  const decided = first.results?.[row]?.decision;
  const isWritten = WRITTEN[state ?? -1] === true;
  return answered.some(({ states, results }) => {
    if (states[row] !== state) return true;
    const other = results?.[row]?.decision;
    return isWritten && (other?.newVal !== decided?.newVal || other?.newSz !== decided?.newSz);
  });
}

/** By index of a state: true if the patched instruction contains the new value. */
const WRITTEN = MATRIX_STATES.map((state) => state !== 'poisoned' && state !== 'fails');

function searchText({ types, records }: CoreMatrix, row: number): string {
  const record = records[row];
  if (record === undefined) return '';
  return [
    coreKindName(record.kind),
    fieldLabel(types, record),
    record.accessStr,
    record.func?.name ?? '',
    record.sectionName,
    `relo #${record.relocIndexInSection}`,
  ]
    .join(' ')
    .toLowerCase();
}
