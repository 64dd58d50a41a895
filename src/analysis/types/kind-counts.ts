/** How many types of each kind there are. */
import { infoKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { infoOf, type TypeTable } from '#model/type-table.ts';

export type KindCount = { readonly kind: number; readonly count: number };

const known = new WeakMap<TypeTable, readonly KindCount[]>();

/** Own types by kind, the most frequent first, kinds of equal count in order. Kinds that do not occur are left out. */
export function kindHistogram(t: TypeTable): readonly KindCount[] {
  // Several views ask, each time they are shown, and a table may have a million types.
  const counts = known.get(t) ?? countKinds(t);
  known.set(t, counts);
  return counts;
}

function countKinds(t: TypeTable): KindCount[] {
  const counts = new Uint32Array(128);
  for (let i = 0; i < t.count; i++) {
    const kind = infoKind(infoOf(t, typeId(t.firstId + i)));
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Array.from(counts, (count, kind) => ({ kind, count }))
    .filter((row) => row.count > 0)
    .sort((a, b) => b.count - a.count);
}
