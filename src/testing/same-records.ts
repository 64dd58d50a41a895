/** Compares the type records of two tables with the same ids; names may be at other offsets. */
import { BTF_TYPE_SIZE, BtfKind, kindLayout } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, recordBytes, stringAt, type TypeTable } from '#model/type-table.ts';

/** Returns true if both tables have equal types of their own. Names are compared as text. */
export function sameRecords(a: TypeTable, b: TypeTable): boolean {
  return firstDifference(a, b) === null;
}

/**
 * Returns the first id whose records differ, 0 for different numbers of types, null if all are
 * equal.
 */
export function firstDifference(a: TypeTable, b: TypeTable): number | null {
  if (a.count !== b.count || a.firstId !== b.firstId) return 0;
  for (let i = 0; i < a.count; i++) if (!sameRecord(a, b, a.firstId + i)) return a.firstId + i;
  return null;
}

function sameRecord(a: TypeTable, b: TypeTable, number: number): boolean {
  const id = typeId(number);
  const [x, y] = [recordBytes(a, id), recordBytes(b, id)];
  if (x.length !== y.length) return false;
  const kind = kindOf(a, id);
  const named = kind !== BtfKind.DATASEC && kind !== BtfKind.INT && kind !== BtfKind.ARRAY;
  const item = named ? (kindLayout(kind)?.item ?? 0) : 0;
  const [u, v] = [new DataView(x.buffer, x.byteOffset), new DataView(y.buffer, y.byteOffset)];
  for (let at = 0; at < x.length; at += 4) {
    const wordOfA = u.getUint32(at, a.endian === 'little');
    const wordOfB = v.getUint32(at, b.endian === 'little');
    // Leaves out the third word of a FWD: it must be 0, but bpf-gcc writes another number.
    if (kind === BtfKind.FWD && at === 8) continue;
    const isName =
      at === 0 || (item > 0 && at >= BTF_TYPE_SIZE && (at - BTF_TYPE_SIZE) % item === 0);
    if (isName ? !sameName(a, wordOfA, b, wordOfB) : wordOfA !== wordOfB) return false;
  }
  return true;
}

function sameName(a: TypeTable, one: number, b: TypeTable, other: number): boolean {
  return (one === 0) === (other === 0) && stringAt(a, one) === stringAt(b, other);
}
