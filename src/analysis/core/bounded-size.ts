/** Sizes as CO-RE counts them: `btf__resolve_size` of libbpf with its limits, and its error numbers. */
import { pointerSize } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { typeId } from '#model/ids.ts';
import { arrayData, isModifier, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { Errno } from './access-string.ts';

/** libbpf follows no more references than this. */
const MAX_DEPTH = 32;
const MAX_U32 = 0xffffffff;

/**
 * Returns the bytes of the type, below 4 GiB; else a negative error number: `Errno.EINVAL` without
 * a size or behind more than 32 references, `Errno.E2BIG` from 4 GiB on.
 */
export function boundedSize(t: TypeTable, id: TypeId): number {
  let at = id;
  let nelems = 1;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const kind = kindOf(t, at);
    switch (kind) {
      case BtfKind.INT:
      case BtfKind.STRUCT:
      case BtfKind.UNION:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
      case BtfKind.DATASEC:
      case BtfKind.FLOAT:
        return bounded(sizeOrTypeOf(t, at) * nelems);
      case BtfKind.PTR:
        return bounded(pointerSize(t) * nelems);
      case BtfKind.ARRAY: {
        const array = arrayData(t, at);
        nelems *= array.nelems;
        if (nelems > MAX_U32) return Errno.E2BIG;
        at = array.elemType;
        break;
      }
      case BtfKind.VAR:
      case BtfKind.DECL_TAG:
        at = typeId(sizeOrTypeOf(t, at));
        break;
      default:
        if (!isModifier(kind)) return Errno.EINVAL;
        at = typeId(sizeOrTypeOf(t, at));
    }
  }
  return Errno.EINVAL;
}

function bounded(size: number): number {
  return size > MAX_U32 ? Errno.E2BIG : size;
}
