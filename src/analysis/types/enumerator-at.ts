/** One enumerator of an ENUM or ENUM64, without reading the others: there may be 100,000. */
import { BTF_TYPE_SIZE, BtfKind, kindLayout } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { Enumerator } from '#model/type-items.ts';
import {
  kindFlagOf,
  kindOf,
  ownerOf,
  recordBytes,
  stringAt,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';

/** Enumerator `index`; null outside, and for other kinds. */
export function enumeratorAt(t: TypeTable, id: TypeId, index: number): Enumerator | null {
  const kind = kindOf(t, id);
  const wide = kind === BtfKind.ENUM64;
  if ((!wide && kind !== BtfKind.ENUM) || index < 0 || index >= vlenOf(t, id)) return null;
  const size = kindLayout(kind)?.item ?? 0;
  const at = BTF_TYPE_SIZE + size * index;
  const bytes = recordBytes(t, id);
  if (at + size > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, size);
  const little = (ownerOf(t, id) ?? t).endian === 'little';
  const nameOff = view.getUint32(0, little);
  const high = wide ? BigInt(view.getUint32(8, little)) << 32n : 0n;
  const raw = BigInt(view.getUint32(4, little)) | high;
  const value = kindFlagOf(t, id) ? BigInt.asIntN(wide ? 64 : 32, raw) : raw;
  return { index, nameOff, name: stringAt(t, nameOff), value };
}
