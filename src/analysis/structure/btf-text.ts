/** Words that fields of BTF share: names, types, linkage. Raw texts. */

import type { FieldSpec } from '#analysis/fields/struct-fields.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { typeId } from '#model/ids.ts';
import { stringAt, type TypeTable } from '#model/type-table.ts';

/** Longer names are cut where they are shown. */
const MAX_SHOWN = 120;

const LINKAGES = ['static', 'global', 'extern'];

/** `name_off` at `offset` bytes of a struct. */
export function nameField(types: TypeTable, offset: number, name = 'name_off'): FieldSpec {
  return { name, cType: '__u32', offset, size: 4, meaning: (value) => aboutName(types, value) };
}

/** The string at an offset of the joined strings, quoted. */
export function aboutName(types: TypeTable, value: bigint): string {
  if (value === 0n) return 'no name';
  const text = stringAt(types, Number(value), 4 * (MAX_SHOWN + 1));
  return `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`;
}

/** The type that an id names, as C spells it. */
export function aboutType(types: TypeTable, value: bigint): string {
  return value === 0n ? 'void' : typeExpression(types, typeId(Number(value)));
}

/** Linkage of a FUNC or VAR. Source: "BTF Type Format", section 2.3. */
export function aboutLinkage(value: number): string {
  return LINKAGES[value] ?? 'unknown linkage';
}
