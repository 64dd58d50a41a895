/** Detects types whose text would take long to write, since they have many items or long names. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf, isComposite, membersOf, paramsOf } from '#model/type-items.ts';
import {
  kindOf,
  nameOffOf,
  skipModifiers,
  stringAt,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';

/** Maximum members, enumerators, parameters or variables. Kernel types have some thousand. */
export const MAX_ITEMS = 10_000;

/** Returns true if `id`, after typedefs and modifiers, has more than MAX_ITEMS items. */
export function isWide(types: TypeTable, id: TypeId): boolean {
  const at = skipModifiers(types, id);
  // A FUNC stores its linkage in the vlen field.
  return kindOf(types, at) !== BtfKind.FUNC && vlenOf(types, at) > MAX_ITEMS;
}

/** Limits the characters of all member names. The largest type of a kernel has a tenth of this. */
const MAX_NAME_CHARACTERS = 1 << 21;
const MAX_NAME_BYTES = 1 << 16;
const MAX_TYPES = 1000;

/** Returns true if `id`, with its anonymous members, has too many members or too long names. */
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
        if (length > MAX_NAME_CHARACTERS) return true;
      }
    }
    for (const { type } of membersOf(types, at)) {
      const inner = skipModifiers(types, type);
      if (isComposite(kindOf(types, inner)) && nameOffOf(types, inner) === 0) open.push(inner);
    }
  }
  return length > MAX_NAME_CHARACTERS;
}
