/**
 * Sizes and packing as libbpf's C printer works them out, for every member of a kernel.
 *
 * In: records as words. Out: 32-bit numbers, as the C code has them, so that sizes
 * beyond them come out as they do there. `analysis/types/sizes.ts` has them exactly.
 *
 * Source: libbpf, `btf__align_of`, `btf__resolve_size`, `btf_is_struct_packed`.
 */
import { alignOf, pointerSize, takesSize } from '#analysis/types/sizes.ts';
import { BtfKind, hasSize, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { ITEMS_AT, isLeftOut, kindAt, MEMBER, type MemberChoice, type Records } from './records.ts';

/** Modifiers and array dimensions that `btf__resolve_size` follows before it gives up. */
const MAX_RESOLVE_DEPTH = 32;

/** Bytes of a type, 0 for what has none or too many for 32 bits. */
export function sizeAt(records: Records, id: number): number {
  const { words, at, types } = records;
  let nelems = 1;
  let type = id;
  for (let depth = 0; depth < MAX_RESOLVE_DEPTH; depth++) {
    const place = at[type] ?? 0;
    const kind = kindAt(records, type);
    if (hasSize(kind)) return total(nelems, words[place + 2] ?? 0);
    if (kind === BtfKind.PTR) return total(nelems, pointerSize(types));
    if (kind === BtfKind.ARRAY) {
      nelems *= words[place + 5] ?? 0;
      if (nelems > 0xffffffff) return 0;
      type = words[place + 3] ?? 0;
    } else if (takesSize(kind)) {
      type = words[place + 2] ?? 0;
    } else {
      return 0;
    }
  }
  return 0;
}

function total(nelems: number, size: number): number {
  const bytes = nelems * size;
  return bytes > 0xffffffff ? 0 : bytes;
}

/**
 * Does the layout of a struct or union, with its members or the `choice` of them, contradict natural
 * alignment, so that it must have been packed? Only members that have a size count.
 */
export function isPacked(records: Records, id: number, choice: MemberChoice | null): boolean {
  const { words, at, types } = records;
  const start = at[id] ?? 0;
  const info = words[start + 1] ?? 0;
  const vlen = infoVlen(info);
  const kindFlag = infoKindFlag(info);
  let max = 1;
  for (let index = 0; index < vlen; index++) {
    if (isLeftOut(choice, id, index)) continue;
    const member = start + ITEMS_AT + MEMBER * index;
    const align = alignOf(types, typeId(words[member + 1] ?? 0));
    const offset = words[member + 2] ?? 0;
    // With kind_flag the width of a bit-field is in the top byte.
    const isBitfield = kindFlag && offset >>> 24 !== 0;
    if (align !== 0 && !isBitfield && offset % (8 * align) !== 0) return true;
    max = Math.max(max, align);
  }
  return (words[start + 2] ?? 0) % max !== 0;
}
