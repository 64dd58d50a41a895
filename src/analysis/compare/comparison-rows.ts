/** The rows of a whole comparison, read one at a time: names, kinds and sizes stay in the tables. */
import { hasSize } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { STATES, type TypeState, type WholeComparison } from './compare-tables.ts';
import { typeLabel } from './comparison-text.ts';
import { FACETS } from './facets.ts';

/** Both tables of a comparison, `a` before and `b` after. */
export type ComparedTables = { readonly a: TypeTable; readonly b: TypeTable };

export type ComparisonRow = {
  readonly state: TypeState;
  /** BTF_KIND_*. */
  readonly kind: number;
  /** Raw text. */
  readonly label: string;
  readonly a: TypeId | null;
  readonly b: TypeId | null;
  /** In bytes; null where there is no such type, or its kind stores none. */
  readonly sizeBefore: number | null;
  readonly sizeAfter: number | null;
  readonly weight: number;
  /** In the order of `FACETS`. */
  readonly facets: readonly number[];
  /** The type (of A) that is changed, where only what it holds is. */
  readonly cause: TypeId | null;
};

/** Row `index` of the comparison; null outside. */
export function comparisonRow(
  whole: WholeComparison,
  tables: ComparedTables,
  index: number,
): ComparisonRow | null {
  const state = STATES[whole.state[index] ?? -1];
  if (state === undefined) return null;
  const a = idAt(whole.a, index);
  const b = idAt(whole.b, index);
  return {
    state,
    kind: rowKind(whole, tables, index),
    label: rowLabel(whole, tables, index),
    a,
    b,
    sizeBefore: a === null ? null : storedSize(tables.a, a),
    sizeAfter: b === null ? null : storedSize(tables.b, b),
    weight: whole.weight[index] ?? 0,
    facets: Array.from(whole.facets.subarray(index * FACETS.length, (index + 1) * FACETS.length)),
    cause: idAt(whole.cause, index),
  };
}

/** The kind of row `index`. */
export function rowKind(whole: WholeComparison, { a, b }: ComparedTables, index: number): number {
  const before = whole.a[index] ?? 0;
  return before === 0 ? kindOf(b, typeId(whole.b[index] ?? 0)) : kindOf(a, typeId(before));
}

/** The name of row `index`. Raw text. */
export function rowLabel(whole: WholeComparison, { a, b }: ComparedTables, index: number): string {
  const before = whole.a[index] ?? 0;
  return before === 0 ? typeLabel(b, typeId(whole.b[index] ?? 0)) : typeLabel(a, typeId(before));
}

/** By how many bytes the type of row `index` grew; 0 where a side has no size. */
export function rowGrowth(whole: WholeComparison, { a, b }: ComparedTables, index: number): number {
  const [before, after] = [idAt(whole.a, index), idAt(whole.b, index)];
  if (before === null || after === null) return 0;
  return (storedSize(b, after) ?? 0) - (storedSize(a, before) ?? 0);
}

/** How many rows have each of `STATES`, in their order. */
export function stateCounts(whole: WholeComparison): readonly number[] {
  const counts = STATES.map(() => 0);
  for (const state of whole.state) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function idAt(ids: Uint32Array, index: number): TypeId | null {
  const id = ids[index] ?? 0;
  return id === 0 ? null : typeId(id);
}

function storedSize(t: TypeTable, id: TypeId): number | null {
  return hasSize(kindOf(t, id)) ? sizeOrTypeOf(t, id) : null;
}
