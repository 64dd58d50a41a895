/** Types with too many items to write their text without a noticeable delay. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, skipModifiers, type TypeTable, vlenOf } from '#model/type-table.ts';

/** Members, enumerators, parameters or variables. A kernel's widest type has some thousand. */
export const MAX_ITEMS = 10_000;

/** Returns whether `id`, without typedefs and modifiers, has more than 10,000 items. Constant time. */
export function isWide(types: TypeTable, id: TypeId): boolean {
  const at = skipModifiers(types, id);
  // In a FUNC the vlen field is the linkage.
  return kindOf(types, at) !== BtfKind.FUNC && vlenOf(types, at) > MAX_ITEMS;
}
