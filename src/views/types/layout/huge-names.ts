/** Types whose text takes too long to compute: very many members, or very long names. */
import { isWide, MAX_ITEMS } from '#analysis/types/wide-types.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf, isComposite, membersOf, paramsOf } from '#model/type-items.ts';
import { kindOf, nameOffOf, skipModifiers, stringAt, type TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';

/** Characters of all names; the largest type of a kernel has a tenth of it. */
const MAX_NAMES = 1 << 21;
const MAX_NAME_BYTES = 1 << 16;
const MAX_TYPES = 1000;

export const HUGE_NAMES = `This type has more than ${grouped(MAX_ITEMS)} members, or names of millions of characters, so its text is not shown here. The Text view has it.`;

/**
 * Returns whether `id`, with its anonymous members, has more than 10,000 members or names of more
 * than 2 million characters in total. At most 65,536 bytes of each name count, which bounds the
 * time.
 */
export function hasHugeNames(types: TypeTable, id: TypeId): boolean {
  let length = 0;
  const count = (nameOff: number) => {
    length += nameOff === 0 ? 0 : stringAt(types, nameOff, MAX_NAME_BYTES).length;
  };
  count(nameOffOf(types, id));
  const seen = new Set<TypeId>();
  const open: TypeId[] = [skipModifiers(types, id)];
  for (let at = open.pop(); at !== undefined && seen.size < MAX_TYPES; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (isWide(types, at)) return true;
    for (const items of [membersOf(types, at), enumeratorsOf(types, at), paramsOf(types, at)]) {
      for (const { nameOff } of items) {
        count(nameOff);
        if (length > MAX_NAMES) return true;
      }
    }
    for (const { type } of membersOf(types, at)) {
      const inner = skipModifiers(types, type);
      if (isComposite(kindOf(types, inner)) && nameOffOf(types, inner) === 0) open.push(inner);
    }
  }
  return length > MAX_NAMES;
}
