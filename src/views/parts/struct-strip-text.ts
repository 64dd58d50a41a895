/** What a box of the drawing is called and how it looks. */
import type { MemberRow } from '#analysis/layout/member-rows.ts';

import type { LayoutRow } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';

import { visible } from '#bytes/text.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { type KindStyle, kindStyle } from './kind-style.ts';
import { hexText, widthText } from './number-text.ts';

/** Longer names are cut before they are drawn. */
const MAX_NAME = 200;

/** The member's name, fit to be drawn; `(anon)` where it has none. */
export function boxName(row: MemberRow): string {
  return visible(row.name.slice(0, MAX_NAME)) || '(anon)';
}

/** Letter and colour family of what the member is behind typedefs and qualifiers. */
export function boxStyle(types: TypeTable, row: MemberRow): KindStyle {
  return kindStyle(kindOf(types, skipModifiers(types, row.type)));
}

/** `0x5c (byte 92, bit 3)`: both ways of writing an offset. */
export function longPlaceText(bitOffset: number): string {
  const bit = bitOffset % 8;
  const byte = (bitOffset - bit) / 8;
  return `${hexText(byte)} (byte ${grouped(byte)}${bit === 0 ? '' : `, bit ${bit}`})`;
}

/** `4 bytes`, `3 bits`. */
export function boxSize(row: MemberRow): string {
  return row.isBitfield
    ? `${row.bitSize} ${row.bitSize === 1 ? 'bit' : 'bits'}`
    : widthText(row.bitSize);
}

/** All about a box in one line: `tgid at 0x5c (byte 92), 4 bytes, pid_t`. */
export function boxTitle(types: TypeTable, row: MemberRow): string {
  const place = longPlaceText(row.bitOffset);
  if (row.kind !== 'member') return `${gapText(row)} at ${place}`;
  const type = visible(typeExpression(types, row.type));
  return `${boxName(row)} at ${place}, ${boxSize(row)}, ${type}`;
}

/** What a row without a member says: `4-byte hole`, `24 bits of padding`. */
export function gapText(row: LayoutRow): string {
  if (row.kind === 'padding') return `${widthText(row.bitSize)} of padding`;
  return row.bitSize % 8 === 0 ? `${row.bitSize / 8}-byte hole` : `${row.bitSize}-bit hole`;
}
