/** Number of types of each kind. */
import { memoized } from '#bytes/cache.ts';
import { RecordReader } from '#formats/btf/records.ts';
import type { TypeTable } from '#model/type-table.ts';

export type KindCount = { readonly kind: number; readonly count: number };

/**
 * Counts of own types by kind, most frequent first, equal counts by kind. Absent kinds are omitted.
 * Computed once per table, since several views use it and a table may have a million types.
 */
export const kindHistogram = memoized((t: TypeTable): readonly KindCount[] => {
  const counts = new Uint32Array(128);
  const records = new RecordReader(t);
  for (let i = 0; i < t.count; i++) {
    const kind = records.kind(i);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Array.from(counts, (count, kind) => ({ kind, count }))
    .filter((row) => row.count > 0)
    .sort((a, b) => b.count - a.count);
});
