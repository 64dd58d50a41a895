/** Sizes of types as libbpf returns them, with its limits and errors. */
import { takesSize } from '#analysis/types/sizes.ts';
import { BtfKind, hasSize } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { arrayData, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

/** Value of MAX_RESOLVE_DEPTH in libbpf's btf.c. */
const MAX_DEPTH = 32;
const MAX_U32 = 0xffff_ffff;
/** Size of a pointer in bytes: libbpf sets it to 8 for the BTF of all objects. */
const POINTER_SIZE = 8;

/**
 * Returns the size of a type in bytes, or the error that libbpf returns instead of it. Source:
 * libbpf 1.8, btf.c: btf__resolve_size.
 */
export function resolveSize(t: TypeTable, id: TypeId): number | 'EINVAL' | 'E2BIG' {
  let count = 1;
  let at = id;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const kind = kindOf(t, at);
    if (hasSize(kind) || kind === BtfKind.PTR) {
      const size = kind === BtfKind.PTR ? POINTER_SIZE : sizeOrTypeOf(t, at);
      return count > 0 && size > Math.floor(MAX_U32 / count) ? 'E2BIG' : count * size;
    }
    if (kind === BtfKind.ARRAY) {
      const { nelems, elemType } = arrayData(t, at);
      if (count > 0 && nelems > Math.floor(MAX_U32 / count)) return 'E2BIG';
      count *= nelems;
      at = elemType;
    } else if (takesSize(kind)) {
      at = typeId(sizeOrTypeOf(t, at));
    } else return 'EINVAL';
  }
  return 'EINVAL';
}
