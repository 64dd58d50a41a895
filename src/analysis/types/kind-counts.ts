/** How many types of each kind there are. */
import { oncePer } from '#bytes/keep.ts';
import { RecordReader } from '#formats/btf/records.ts';
import type { TypeTable } from '#model/type-table.ts';

export type KindCount = { readonly kind: number; readonly count: number };

/**
 * Own types by kind, the most frequent first, kinds of equal count in order. Kinds that do not
 * occur are left out. Counted once: several views ask, and a table may have a million types.
 */
export const kindHistogram = oncePer((t: TypeTable): readonly KindCount[] => {
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
