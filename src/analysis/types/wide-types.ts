/** Types with so many items that no text of them can be made while a person waits. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, skipModifiers, type TypeTable, vlenOf } from '#model/type-table.ts';

/** Members, enumerators, parameters or variables. A kernel's widest type has some thousand. */
export const MAX_ITEMS = 10_000;

/** Has `id`, or what it stands for, more than 10,000 items of its own? The answer costs nothing. */
export function isWide(types: TypeTable, id: TypeId): boolean {
  const at = skipModifiers(types, id);
  // There the field holds a linkage.
  return kindOf(types, at) !== BtfKind.FUNC && vlenOf(types, at) > MAX_ITEMS;
}
