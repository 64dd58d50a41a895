/** What follows the head of a record, item by item: what each is called, and what it says whatever the ids are. */
import { typeExpression } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';

export type RecordItem = {
  /** The name of a member, enumerator or variable; the number of what has none. Raw text. */
  readonly key: string;
  /** As `name_off`; 0 where the item has no name of its own. */
  readonly nameOff: number;
  /** Says the same of two items that mean the same, in whatever blobs they are. */
  readonly meaning: string;
};

/** Members, enumerators, parameters or variables in their order; empty for kinds that have none. */
export function recordItems(t: TypeTable, id: TypeId): RecordItem[] {
  switch (kindOf(t, id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return membersOf(t, id).map((member) => ({
        key: member.name || `~${member.index}`,
        nameOff: member.nameOff,
        meaning: `${typeExpression(t, member.type)}@${member.bitOffset}:${member.bitfieldSize}`,
      }));
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return enumeratorsOf(t, id).map(({ name, nameOff, value }) => ({
        key: name,
        nameOff,
        meaning: `${value}`,
      }));
    case BtfKind.FUNC_PROTO:
      return paramsOf(t, id).map(({ index, name, nameOff, type }) => ({
        key: `~${index}`,
        nameOff,
        meaning: `${typeExpression(t, type)} ${name}`,
      }));
    case BtfKind.DATASEC:
      return varSecinfosOf(t, id).map(({ type, offset, size }) => ({
        key: typeExpression(t, type),
        nameOff: 0,
        meaning: `${offset}+${size}`,
      }));
    default:
      return [];
  }
}
