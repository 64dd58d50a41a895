/** Entries of members, enumerators and parameters, and what they say that BTF has no place for. */
import { DW_AT, DW_TAG } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/reader.ts';
import { ACCESS_SHIFT, ITEM_FLAGS } from '#model/dwarf.ts';
import type { UnitRows } from './unit-rows.ts';

/** Entry of an item: its offset, its size in bytes, and its `ITEM_FLAGS`. */
export type ItemEntry = { readonly die: number; readonly size: number; readonly flags: number };

/** Sizes of entries of items up to this one are exact. */
const MAX_ITEM_SIZE = 0x7ff;

/** Returns an entry as a number of 53 bits; the offset has 34 of them. */
function packItem({ die, size, flags }: ItemEntry): number {
  return (die * 0x800 + Math.min(size, MAX_ITEM_SIZE)) * 0x100 + flags;
}

/** Returns the entry that `packItem` packed. */
export function unpackItem(packed: number): ItemEntry {
  const place = Math.floor(packed / 0x100);
  return { die: Math.floor(place / 0x800), size: place % 0x800, flags: packed % 0x100 };
}

/** Returns the entry at `row` of an item, packed. */
export function entryAt({ unit, tree }: UnitRows, row: number, flags: number): number {
  const start = tree.offset[row] ?? 0;
  const size = (tree.close[row] ?? 0) - start;
  return packItem({ die: unit.offset + start, size, flags });
}

/** Returns the flags of a parameter. Throws `Malformed`. */
export function paramFlags(die: Die): number {
  const artificial = die.flag(DW_AT.artificial) ? ITEM_FLAGS.artificial : 0;
  return artificial | (die.flag(DW_AT.variable_parameter) ? ITEM_FLAGS.result : 0);
}

/** Returns the flags of a member or base class. Throws `Malformed`. */
export function memberFlags(die: Die): number {
  const { base, virtual, artificial, embedded } = ITEM_FLAGS;
  let flags = ((die.number(DW_AT.accessibility) ?? 0) & 3) << ACCESS_SHIFT;
  if (die.flag(DW_AT.artificial)) flags |= artificial;
  if (die.flag(DW_AT.go_embedded_field)) flags |= embedded;
  if (die.tag !== DW_TAG.inheritance) return flags;
  const isVirtual = (die.number(DW_AT.virtuality) ?? 0) !== 0;
  return flags | base | (isVirtual ? virtual : 0);
}
