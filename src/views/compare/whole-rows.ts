import { FACETS } from '#analysis/compare/changes.ts';
import {
  type ComparedTables,
  rowGrowth,
  rowKind,
  rowLabel,
  STATES,
  type WholeComparison,
} from '#analysis/compare/compare-tables.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { CompareSettings } from './state.ts';

/** Returns the rows that pass the filters, in the chosen order. `text` is a part of a name. */
export function listedRows(
  whole: WholeComparison,
  tables: ComparedTables,
  settings: Pick<CompareSettings, 'states' | 'facets' | 'kind' | 'order' | 'descending'>,
  text: string,
): Uint32Array {
  const rows: number[] = [];
  const passes = rowTest(whole, tables, settings, text);
  for (let row = 0; row < whole.count; row++) if (passes(row)) rows.push(row);
  return Uint32Array.from(ordered(whole, tables, settings, rows));
}

function rowTest(
  whole: WholeComparison,
  tables: ComparedTables,
  { states, facets, kind }: Pick<CompareSettings, 'states' | 'facets' | 'kind'>,
  text: string,
): (row: number) => boolean {
  const wanted = text.trim().toLowerCase();
  const labels = wanted === '' ? null : lowerLabels(whole, tables);
  const facetsAt = FACETS.flatMap((facet, i) => (facets.has(facet) ? [i] : []));
  const isState = STATES.map((state) => states.size === 0 || states.has(state));
  return (row) =>
    isState[whole.state[row] ?? 0] === true &&
    (kind === null || rowKind(whole, tables, row) === kind) &&
    (facetsAt.length === 0 ||
      facetsAt.some((i) => (whole.facets[row * FACETS.length + i] ?? 0) > 0)) &&
    (labels === null || labels[row]?.includes(wanted) === true);
}

/** Cache of all names in lower case, since each key press in the filter needs them. */
const labelsOf = new WeakMap<WholeComparison, readonly string[]>();

function lowerLabels(whole: WholeComparison, tables: ComparedTables): readonly string[] {
  return getOrCreate(labelsOf, whole, () =>
    Array.from({ length: whole.count }, (_, i) => rowLabel(whole, tables, i).toLowerCase()),
  );
}

/** Returns the rows in the chosen order. Rows of equal value stay in the order of their names. */
function ordered(
  whole: WholeComparison,
  tables: ComparedTables,
  { order, descending }: Pick<CompareSettings, 'order' | 'descending'>,
  rows: number[],
): number[] {
  const sign = descending ? -1 : 1;
  if (order === 'name') return descending ? rows.reverse() : rows;
  const values = new Map(rows.map((row) => [row, orderValue(whole, tables, order, row)] as const));
  return rows.sort((x, y) => sign * ((values.get(x) ?? 0) - (values.get(y) ?? 0)));
}

function orderValue(
  whole: WholeComparison,
  tables: ComparedTables,
  order: Exclude<CompareSettings['order'], 'name'>,
  row: number,
): number {
  switch (order) {
    case 'kind':
      return rowKind(whole, tables, row);
    case 'state':
      return whole.state[row] ?? 0;
    case 'size':
      return rowGrowth(whole, tables, row);
    case 'weight':
      return whole.weight[row] ?? 0;
  }
}

/** Returns the BTF kinds that occur in the rows, in ascending order. */
export function listedKinds(whole: WholeComparison, tables: ComparedTables): readonly number[] {
  const kinds = new Set<number>();
  for (let row = 0; row < whole.count; row++) kinds.add(rowKind(whole, tables, row));
  return [...kinds].sort((a, b) => a - b);
}
