/** The rows of a matrix by program, root type or field, and the result of a group on each target. */
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { namedType } from '#analysis/core/spec.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { TypeTable } from '#model/type-table.ts';
import { fieldLabel } from './field-label.ts';
import { type CoreMatrix, MATRIX_STATES, type ResolvedColumn } from './matrix.ts';

export type Grouping = 'program' | 'type' | 'field';

export type MatrixGroup = {
  /** Unique among the groups. */
  readonly key: string;
  /** The function, the type or the field. Raw text. */
  readonly label: string;
  /** The section of a program; empty for other groups. Raw text. */
  readonly section: string;
  /** Rows of records, in the order of the file. */
  readonly rows: readonly number[];
};

/** Returns all records in groups, in the order of their first record in the file. */
export function groupRows(
  { types, records }: Pick<CoreMatrix, 'types' | 'records'>,
  by: Grouping,
): MatrixGroup[] {
  const groups = new Map<string, { label: string; section: string; rows: number[] }>();
  for (const [row, record] of records.entries()) {
    const { key, label, section } = NAMING[by](types, record);
    getOrCreate(groups, key, () => ({ label, section, rows: [] })).rows.push(row);
  }
  return Array.from(groups, ([key, group]) => ({ key, ...group }));
}

type Naming = (
  types: TypeTable,
  record: CoreObjectRecord,
) => { readonly key: string; readonly label: string; readonly section: string };

const NAMING: Readonly<Record<Grouping, Naming>> = {
  program: (_, { func, sectionName, insnOff }) => {
    if (func === null) return { key: `- ${sectionName}`, label: '', section: sectionName };
    // Two functions may have one name; where each begins tells them apart.
    const start = insnOff - 8 * func.insnIndex;
    return { key: `${start} ${sectionName}`, label: func.name, section: sectionName };
  },
  type: (types, { root }) => plain(namedType(types, root)),
  field: (types, record) => plain(fieldLabel(types, record)),
};

function plain(label: string) {
  return { key: label, label, section: '' };
}

/** Records of a group in each state on a target, by the index in `MATRIX_STATES`. */
export function groupCounts({ states }: ResolvedColumn, rows: readonly number[]): number[] {
  const counts = MATRIX_STATES.map(() => 0);
  for (const row of rows) {
    const state = states[row];
    if (state !== undefined) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

const POISONED = MATRIX_STATES.indexOf('poisoned');
const FAILS = MATRIX_STATES.indexOf('fails');

export type LoadCount = {
  /** Targets on which no record of the rows fails. */
  readonly loads: number;
  /** Targets among them with at least one poisoned record. */
  readonly poisoned: number;
  /** Targets that have answered. */
  readonly answered: number;
};

/**
 * On how many targets no record of the rows fails. libbpf refuses to load an object
 * as soon as one record of a program that is to be loaded fails; a poisoned
 * instruction it lets through, and the verifier refuses it only where it gets there.
 */
export function loadCount({ columns }: CoreMatrix, rows: readonly number[]): LoadCount {
  let loads = 0;
  let poisoned = 0;
  let answered = 0;
  for (const column of columns) {
    if (column.results === null) continue;
    answered += 1;
    const counts = groupCounts(column, rows);
    if ((counts[FAILS] ?? 0) > 0) continue;
    loads += 1;
    if ((counts[POISONED] ?? 0) > 0) poisoned += 1;
  }
  return { loads, poisoned, answered };
}

/** `loads on 5 of 8, poisoned on 2`; empty while no target has answered. */
export function loadText({ loads, poisoned, answered }: LoadCount): string {
  if (answered === 0) return '';
  return `loads on ${loads} of ${answered}${poisoned === 0 ? '' : `, poisoned on ${poisoned}`}`;
}
