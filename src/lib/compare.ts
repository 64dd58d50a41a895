/** Differences between the types of two files, or between two types. */
import { FACETS } from '#analysis/compare/changes.ts';
import { compareTables, comparisonRow } from '#analysis/compare/compare-tables.ts';
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { changeText } from '#analysis/compare/comparison-text.ts';
import { finish } from '#bytes/long-work.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { typeComparisonData } from '#print/comparison.ts';
import { type Kind, Type, Types } from './types.ts';

/** A type that differs between the files. */
export type ChangedType = {
  /** `inside`: only a contained type is changed. */
  readonly state: 'changed' | 'inside' | 'added' | 'removed';
  readonly kind: Kind;
  /** `(anon)` and the first value for an enum without a name. Not escaped. */
  readonly name: string;
  /** null if the type is added. */
  readonly before: Type | null;
  /** null if the type is removed. */
  readonly after: Type | null;
  /** Number of changes of each sort, without those of 0: `{ moved: 12, size: 1 }`. */
  readonly changes: Readonly<Partial<Record<ChangeSort, number>>>;
  /** The type in `before` that causes a change inside; null for other states. */
  readonly cause: Type | null;
};

export type ChangeSort =
  | 'size'
  | 'added'
  | 'removed'
  | 'renamed'
  | 'moved'
  | 'type'
  | 'value'
  | 'other';

export type Comparison = {
  /** By name, then by kind. */
  readonly types: readonly ChangedType[];
  /** Number of types that are equal in both files. */
  readonly same: number;
};

/** Differences between two types. */
export type TypeComparison = {
  readonly verdict: 'same' | 'changed' | 'inside';
  /** Changes of the whole type: `size 16 → 24`. */
  readonly changes: readonly string[];
  /** Members and values that differ. */
  readonly lines: readonly ChangedLine[];
};

/** A member or value before and after, with its place; null on the side that does not have it. */
export type ChangedLine = {
  readonly before: string | null;
  readonly placeBefore: string | null;
  readonly after: string | null;
  readonly placeAfter: string | null;
  readonly changes: readonly string[];
};

/** Compares the own types of two files, matched by kind and name. A kernel takes seconds. */
export function compare(before: Types, after: Types): Comparison {
  const tables = { a: Types.tableOf(before), b: Types.tableOf(after) };
  const whole = finish(compareTables(tables.a, tables.b));
  const types: ChangedType[] = [];
  for (let index = 0; index < whole.count; index++) {
    const row = comparisonRow(whole, tables, index);
    if (row === null) continue;
    const counts = FACETS.map((facet, i) => [facet, row.facets[i] ?? 0] as const);
    types.push({
      state: row.state,
      kind: kindName(row.kind).toLowerCase() as Kind,
      name: row.label,
      before: typeOrNull(tables.a, row.a),
      after: typeOrNull(tables.b, row.b),
      changes: Object.fromEntries(counts.filter(([, count]) => count > 0)),
      cause: typeOrNull(tables.a, row.cause),
    });
  }
  return { types, same: whole.same };
}

const VERDICTS = { same: 'same', direct: 'changed', inside: 'inside' } as const;

/** Compares two types member by member, or value by value. */
export function compareType(before: Type, after: Type): TypeComparison {
  const old = Type.placeOf(before);
  const now = Type.placeOf(after);
  const tables = { a: old.t, b: now.t };
  const comparison = compareTypes(pairGraphOf(tables.a, tables.b), old.id, now.id);
  const { lines } = typeComparisonData(comparison, tables);
  return {
    verdict: VERDICTS[comparison.verdict],
    changes: comparison.head.map(changeText),
    lines: lines.map((line) => ({
      before: line.before,
      placeBefore: line.offset_before,
      after: line.after,
      placeAfter: line.offset_after,
      changes: line.changes.map(({ words }) => words),
    })),
  };
}

function typeOrNull(table: TypeTable, id: TypeId | null): Type | null {
  return id === null ? null : new Type(table, id);
}
