/** Compares the types of two files, or two types. */
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

/** A type that is not equal in the two files. */
export type ChangedType = {
  /** How the type differs; `inside` means that only a type it contains has changed. */
  readonly state: 'changed' | 'inside' | 'added' | 'removed';
  readonly kind: Kind;
  /** Name of the type, not escaped. For an enum without a name: `(anon)` and its first value. */
  readonly name: string;
  /** The type in the first file; null if the type was added. */
  readonly before: Type | null;
  /** The type in the second file; null if the type was removed. */
  readonly after: Type | null;
  /** Number of changes of each sort, without zeros: `{ moved: 12, size: 1 }`. */
  readonly changes: Readonly<Partial<Record<ChangeSort, number>>>;
  /** For `inside`: the contained type, in `before`, that has changed. Null for other states. */
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
  /** The differing types, sorted by name, then by kind. */
  readonly types: readonly ChangedType[];
  /** Number of types that are equal in both files. */
  readonly same: number;
};

/** The differences between two types. */
export type TypeComparison = {
  readonly verdict: 'same' | 'changed' | 'inside';
  /** Changes of the type as a whole: `size 16 → 24`. */
  readonly changes: readonly string[];
  /** The members and enumerators that differ. */
  readonly lines: readonly ChangedLine[];
};

/** A changed member or enumerator, before and after, with its place. A missing side is null. */
export type ChangedLine = {
  readonly before: string | null;
  readonly placeBefore: string | null;
  readonly after: string | null;
  readonly placeAfter: string | null;
  readonly changes: readonly string[];
};

/** Compares types of two files with equal kind and name; omits bases. A kernel takes seconds. */
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

/** Compares two types by their members or enumerators. */
export function compareType(before: Type, after: Type): TypeComparison {
  const old = Type.placeOf(before);
  const now = Type.placeOf(after);
  const tables = { a: old.t, b: now.t };
  const comparison = compareTypes(pairGraphOf(tables.a, tables.b), old.id, now.id, {
    hasHoles: true,
  });
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
