/** Bytes that structs leave free: holes between members and padding behind the last. */
import { structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';

/**
 * Bytes that the STRUCT `id` leaves free, bits among them as part of a byte; `NaN`
 * for other kinds and where no member is known.
 */
export function paddingBytesOf(t: TypeTable, id: TypeId): number {
  if (kindOf(t, id) !== BtfKind.STRUCT || memberCount(t, id) === 0) return NaN;
  const { holeBits, paddingBits } = structLayout(t, id);
  return (holeBits + paddingBits) / 8;
}

/** The same for all own types, `NaN` also for structs that leave nothing free. */
export function paddingBytes(t: TypeTable): Float64Array {
  return Float64Array.from(
    { length: t.count },
    (_, i) => paddingBytesOf(t, typeId(t.firstId + i)) || NaN,
  );
}
