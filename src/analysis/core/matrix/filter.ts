/** The filter of a matrix's rows. */
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreState } from '#analysis/core/reason.ts';
import { fieldLabel } from './groups.ts';
import { type CoreMatrix, MATRIX_STATES } from './matrix.ts';

/** `changed`: not `same` on some target. `unlike`: targets differ from each other. */
export type RowChoice = 'all' | 'changed' | 'unlike';

export type MatrixFilter = {
  readonly show: RowChoice;
  /** Rows with a cell in one of these states; all rows if empty. */
  readonly states: ReadonlySet<CoreState>;
  /** Words that a row must contain. */
  readonly text: string;
};

/** Returns a flag per row. Targets without results are ignored. */
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

/** Returns whether targets have different states, or write different numbers or sizes. */
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

/** States by index in which the instruction has the number after patching. */
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
