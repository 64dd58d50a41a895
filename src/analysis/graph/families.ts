/** Kinds of nodes that a person shows or hides together, and how that stands in an address. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';

export const FAMILIES = ['struct', 'union', 'enum', 'fwd', 'func', 'other'] as const;
export type Family = (typeof FAMILIES)[number];

/** Callbacks among the members would bring in half the kernel: functions wait until they are asked for. */
const HIDDEN_AT_FIRST: ReadonlySet<Family> = new Set<Family>(['func']);
const NONE = 'none';

/** The family of a node; a typedef that names an anonymous struct is one of structs. */
export function familyOf(t: TypeTable, id: TypeId): Family {
  switch (kindOf(t, skipModifiers(t, id))) {
    case BtfKind.STRUCT:
      return 'struct';
    case BtfKind.UNION:
      return 'union';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return 'enum';
    case BtfKind.FWD:
      return 'fwd';
    case BtfKind.FUNC:
    case BtfKind.FUNC_PROTO:
      return 'func';
    default:
      return 'other';
  }
}

/** Reads the parameter `hide`: families apart by commas, `none`, or null for what is hidden at first. Total. */
export function parseHidden(text: string | null): ReadonlySet<Family> {
  if (text === null) return HIDDEN_AT_FIRST;
  const words = text.split(',');
  return new Set(FAMILIES.filter((family) => words.includes(family)));
}

/** Reverse of `parseHidden`. */
export function formatHidden(hidden: ReadonlySet<Family>): string | null {
  const words = FAMILIES.filter((family) => hidden.has(family));
  if (words.join() === [...HIDDEN_AT_FIRST].join()) return null;
  return words.length === 0 ? NONE : words.join(',');
}
