/** Groups the rows of a matrix by program, root type or field, and counts their results. */
import { coreKind } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { namedType } from '#analysis/core/spec.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type CoreMatrix, MATRIX_STATES, type ResolvedColumn } from './matrix.ts';

export type Grouping = 'program' | 'type' | 'field';

export type MatrixGroup = {
  /** Key that is unique among the groups. */
  readonly key: string;
  /** Name of the function, type or field; not escaped. */
  readonly label: string;
  /** Section of the group's program, not escaped; empty for groups by type or field. */
  readonly section: string;
  /** Rows of the group's records, in file order. */
  readonly rows: readonly number[];
};

/** Returns the groups of all records, in the order of their first record. */
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
    // Functions in different places may share a name, so the key contains the offset.
    const start = insnOff - SLOT_SIZE * func.insnIndex;
    return { key: `${start} ${sectionName}`, label: func.name, section: sectionName };
  },
  type: (types, { root }) => plain(namedType(types, root)),
  field: (types, record) => plain(fieldLabel(types, record)),
};

function plain(label: string) {
  return { key: label, label, section: '' };
}

/** Returns the number of a group's records per state, in the order of `MATRIX_STATES`. */
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
  /** Number of targets on which no record of the group fails. */
  readonly loads: number;
  /** Number of the targets in `loads` on which at least one record is poisoned. */
  readonly poisoned: number;
  /** Number of targets that have results. */
  readonly answered: number;
};

/** Counts the targets on which none of the rows fails. A poisoned row does not fail. */
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

/** Returns the count as text, `loads on 5 of 8, poisoned on 2`; empty without results. */
export function loadText({ loads, poisoned, answered }: LoadCount): string {
  if (answered === 0) return '';
  return `loads on ${loads} of ${answered}${poisoned === 0 ? '' : `, poisoned on ${poisoned}`}`;
}

/** Labels by access, since many records have the same access. */
const labels = memoized((_: TypeTable) => new Map<string, string>());

/** Returns `struct foo.a.b[2]`, `enum e::VALUE` or `struct foo`. Names are not escaped. */
export function fieldLabel(t: TypeTable, record: CoreObjectRecord): string {
  const { root, accessStr, kind } = record;
  const access = `${root} ${coreKind(kind)?.group ?? kind} ${accessStr}`;
  return getOrCreate(labels(t), access, () => labelOf(t, record));
}

function labelOf(t: TypeTable, { root, accessStr, kind }: CoreObjectRecord): string {
  const path = walkAccess(t, root, accessStr, kind);
  const head = namedType(t, root);
  return path.error === null ? `${head}${stepsText(path)}` : `${head} (${accessStr})`;
}

function stepsText({ steps }: AccessPath): string {
  let text = '';
  for (const [i, { means, index, name }] of steps.entries()) {
    if (means === 'member') text += `.${name}`;
    else if (means === 'enumerator') text += `::${name}`;
    else if (means === 'array-element' || (means === 'element-of-pointer' && index > 0)) {
      text += `[${index}]`;
    }
    // An anonymous member appears in the text only if it is the last step.
    else if (means === 'anonymous-member' && i === steps.length - 1) text += '.<anon>';
  }
  return text;
}
