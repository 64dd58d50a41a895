/** Compares all types of two tables, without the types of their bases. */
import { append } from '#bytes/arrays.ts';
import type { Progress } from '#bytes/long-work.ts';
import { hasSize } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { changeWeight, FACETS, facetCounts } from './changes.ts';
import { compareTypes, pairGraphOf } from './compare-types.ts';
import { typeLabel } from './comparison-text.ts';
import { type Matches, matchTypes } from './match-types.ts';
import type { PairGraph } from './pair-graph.ts';

/** States of a row. `inside`: the type is unchanged, but a type that it contains has changed. */
export const STATES = ['changed', 'inside', 'added', 'removed'] as const;
export type TypeState = (typeof STATES)[number];

/** Rows of a comparison, sorted by name and kind, as columns that a worker can transfer. */
export type WholeComparison = {
  readonly count: number;
  /** Type ids before and after, by row; 0 if the type is missing on a side. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** State by row as an index into `STATES`. */
  readonly state: Uint8Array;
  /** Weight of the change, see `changeWeight`. */
  readonly weight: Uint32Array;
  /** Number of changes by row and facet; facets are in the order of `FACETS`. */
  readonly facets: Uint32Array;
  /** By row: id in A of the contained type that causes state `inside`; 0 for other states. */
  readonly cause: Uint32Array;
  readonly same: number;
  /** Number of compared types on each side. */
  readonly totals: { readonly a: number; readonly b: number };
};

type Row = {
  readonly a: TypeId;
  readonly b: TypeId;
  readonly state: TypeState;
  readonly weight: number;
  readonly facets: readonly number[];
  readonly cause: TypeId;
};

/** Number of rows between two checks of the elapsed time. */
const BATCH = 50;

/** Compares `a` (before) with `b` (after). Yields its progress, so that a caller can pause. */
export function* compareTables(
  a: TypeTable,
  b: TypeTable,
): Generator<Progress, WholeComparison, void> {
  const graph = pairGraphOf(a, b);
  const matching = matchTypes(graph);
  let step = matching.next();
  for (; !step.done; step = matching.next()) yield { step: 'comparing', ...graph.progress };
  const matches = step.value;
  const rows: Row[] = [];
  let same = 0;
  for (const [i, [x, y]] of matches.pairs.entries()) {
    const row = changedRow(graph, x, y);
    if (row === null) same++;
    else rows.push(row);
    if (i % BATCH === 0) yield { step: 'describing', done: i, total: matches.pairs.length };
  }
  append(rows, oneSided(matches));
  return columnsOf(graph, rows, same, matches);
}

function changedRow(graph: PairGraph, a: TypeId, b: TypeId): Row | null {
  switch (graph.verdictOf(a, b)) {
    case 'same':
      return null;
    case 'inside':
      return { a, b, ...UNCHANGED, state: 'inside', cause: graph.causeOf(a, b)?.a ?? VOID };
    case 'direct': {
      const comparison = compareTypes(graph, a, b);
      // A change in an unopened anonymous type has no line; its weight is 1.
      const weight = Math.max(1, changeWeight(comparison));
      return { a, b, state: 'changed', weight, facets: facetCounts(comparison), cause: VOID };
    }
  }
}

const UNCHANGED = { weight: 0, facets: FACETS.map(() => 0), cause: VOID };

function* oneSided({ removed, added }: Matches): Generator<Row> {
  for (const a of removed) yield { a, b: VOID, state: 'removed', ...UNCHANGED };
  for (const b of added) yield { a: VOID, b, state: 'added', ...UNCHANGED };
}

function columnsOf(
  graph: PairGraph,
  rows: readonly Row[],
  same: number,
  { pairs, removed, added }: Matches,
): WholeComparison {
  const { a, b } = graph.sides;
  const named = rows.map((row) => {
    const side = row.a === VOID ? b : a;
    const id = row.a === VOID ? row.b : row.a;
    return { row, name: typeLabel(side.types, id), kind: kindOf(side.types, id) };
  });
  named.sort(
    (x, y) =>
      (x.name < y.name ? -1 : x.name > y.name ? 1 : 0) ||
      x.kind - y.kind ||
      x.row.a - y.row.a ||
      x.row.b - y.row.b,
  );
  const facets = new Uint32Array(FACETS.length * rows.length);
  for (const [i, { row }] of named.entries()) facets.set(row.facets, FACETS.length * i);
  const column = (read: (row: Row) => number) => Uint32Array.from(named, ({ row }) => read(row));
  return {
    count: rows.length,
    a: column((row) => row.a),
    b: column((row) => row.b),
    state: Uint8Array.from(named, ({ row }) => STATES.indexOf(row.state)),
    weight: column((row) => row.weight),
    facets,
    cause: column((row) => row.cause),
    same,
    totals: { a: pairs.length + removed.length, b: pairs.length + added.length },
  };
}

/** Tables of a comparison: `a` before, `b` after. */
export type ComparedTables = { readonly a: TypeTable; readonly b: TypeTable };

export type ComparisonRow = {
  readonly state: TypeState;
  readonly kind: number;
  /** Name of the type, not escaped. */
  readonly label: string;
  readonly a: TypeId | null;
  readonly b: TypeId | null;
  /** Size of the old type in bytes; null if the type is missing or has no size. */
  readonly sizeBefore: number | null;
  readonly sizeAfter: number | null;
  readonly weight: number;
  /** Number of changes per facet, in the order of `FACETS`. */
  readonly facets: readonly number[];
  /** Contained type (in A) that causes state `inside`; null for other states. */
  readonly cause: TypeId | null;
};

/** Returns row `index` of the comparison; null if the row does not exist. */
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

/** Returns the kind of the type in row `index`. */
export function rowKind(whole: WholeComparison, { a, b }: ComparedTables, index: number): number {
  const before = whole.a[index] ?? 0;
  return before === 0 ? kindOf(b, typeId(whole.b[index] ?? 0)) : kindOf(a, typeId(before));
}

/** Returns the name of the type in row `index`, not escaped. */
export function rowLabel(whole: WholeComparison, { a, b }: ComparedTables, index: number): string {
  const before = whole.a[index] ?? 0;
  return before === 0 ? typeLabel(b, typeId(whole.b[index] ?? 0)) : typeLabel(a, typeId(before));
}

/** Returns the growth in bytes of the type in row `index`; 0 if a side has no size. */
export function rowGrowth(whole: WholeComparison, { a, b }: ComparedTables, index: number): number {
  const [before, after] = [idAt(whole.a, index), idAt(whole.b, index)];
  if (before === null || after === null) return 0;
  return (storedSize(b, after) ?? 0) - (storedSize(a, before) ?? 0);
}

/** Returns the number of rows per state, in the order of `STATES`. */
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
