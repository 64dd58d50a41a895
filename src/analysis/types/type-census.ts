/** Statistics of a type table: types per kind, sizes of structs, most referenced types. */
import { memoized } from '#bytes/cache.ts';
import { BtfKind, MAX_KINDS } from '#formats/btf/kinds.ts';
import { RecordReader, scanReferences } from '#formats/btf/records.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOffOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { paddingBytesOf } from './struct-layout.ts';

export type KindCount = { readonly kind: number; readonly count: number };

/** Returns the number of types per kind, the most frequent first. Excludes types of the base. */
export const kindHistogram = memoized((t: TypeTable): readonly KindCount[] => {
  const counts = new Uint32Array(MAX_KINDS);
  const records = new RecordReader(t);
  for (let i = 0; i < t.count; i++) {
    const kind = records.kind(i);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Array.from(counts, (count, kind) => ({ kind, count }))
    .filter((row) => row.count > 0)
    .sort((a, b) => b.count - a.count);
});

/** A named struct; `padding` is the number of its bytes that no member covers. */
export type StructSize = {
  readonly type: TypeId;
  readonly bytes: number;
  readonly padding: number;
};

export type TypeCensus = {
  /** The largest named structs of the table, by size. */
  readonly structs: readonly StructSize[];
  /** Number and total size of the other named structs. */
  readonly others: { readonly count: number; readonly bytes: number };
  /** Named structs and unions, each with the number of references to it, most referenced first. */
  readonly referred: readonly { readonly type: TypeId; readonly count: number }[];
};

/** Returns statistics with at most `maxStructs` structs and `maxReferred` referenced types. */
export function typeCensus(t: TypeTable, maxStructs: number, maxReferred: number): TypeCensus {
  const named: { readonly type: TypeId; readonly bytes: number }[] = [];
  for (let i = 0; i < t.count; i++) {
    const type = typeId(t.firstId + i);
    if (kindOf(t, type) === BtfKind.STRUCT && nameOffOf(t, type) !== 0) {
      named.push({ type, bytes: sizeOrTypeOf(t, type) });
    }
  }
  named.sort((a, b) => b.bytes - a.bytes || a.type - b.type);
  const rest = named.slice(maxStructs);
  return {
    structs: named.slice(0, maxStructs).map(({ type, bytes }) => {
      return { type, bytes, padding: paddingBytesOf(t, type) || 0 };
    }),
    others: { count: rest.length, bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0) },
    referred: referredTypes(t, maxReferred),
  };
}

/** Kinds of unnamed types that refer to one other type. */
const { PTR, ARRAY, CONST, VOLATILE, RESTRICT, TYPE_TAG } = BtfKind;
const LEADS_ON: ReadonlySet<number> = new Set([PTR, ARRAY, CONST, VOLATILE, RESTRICT, TYPE_TAG]);

function referredTypes(t: TypeTable, limit: number): TypeCensus['referred'] {
  const { firstId, count } = t;
  const kindAt = (i: number) => kindOf(t, typeId(firstId + i));
  /** Target of each type outside the base whose kind is in LEADS_ON. */
  const next = new Uint32Array(count);
  scanReferences(t, (i, to) => {
    // An array's first reference is the reference to its element type.
    if (next[i] === 0 && LEADS_ON.has(kindAt(i))) next[i] = to;
  });
  const counts = new Uint32Array(count);
  scanReferences(t, (i, to) => {
    if (LEADS_ON.has(kindAt(i)) || to < firstId) return;
    counts[to - firstId] = (counts[to - firstId] ?? 0) + 1;
  });
  carryOn(next, counts, firstId);
  const referred: { type: TypeId; count: number }[] = [];
  for (const [i, times] of counts.entries()) {
    const type = typeId(firstId + i);
    const kind = kindAt(i);
    if (times === 0 || nameOffOf(t, type) === 0) continue;
    if (isComposite(kind)) referred.push({ type, count: times });
  }
  return referred.sort((a, b) => b.count - a.count || a.type - b.type).slice(0, limit);
}

/**
 * Adds the count of each row to that of its `next` row. Rows without a previous row come first.
 * Rows in cycles keep their counts.
 */
function carryOn(next: Uint32Array, counts: Uint32Array, firstId: number): void {
  const leading = new Uint32Array(next.length);
  const rowOf = (i: number) => (next[i] ?? 0) - firstId;
  for (let i = 0; i < next.length; i++) {
    const row = rowOf(i);
    if (next[i] !== 0 && row >= 0 && row < next.length) leading[row] = (leading[row] ?? 0) + 1;
  }
  const ready: number[] = [];
  for (let i = 0; i < next.length; i++) if (leading[i] === 0 && next[i] !== 0) ready.push(i);
  for (let i = ready.pop(); i !== undefined; i = ready.pop()) {
    const row = rowOf(i);
    if (row < 0 || row >= next.length) continue;
    counts[row] = (counts[row] ?? 0) + (counts[i] ?? 0);
    const left = (leading[row] ?? 1) - 1;
    leading[row] = left;
    if (left === 0 && next[row] !== 0) ready.push(row);
  }
}
