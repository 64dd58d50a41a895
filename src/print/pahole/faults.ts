/**
 * What pahole 1.24 writes in place of a type that it cannot follow.
 *
 * The texts name a function and a line of its source: they are what the tool
 * of that version prints.
 */
import { BtfKind } from '#formats/btf/kinds.ts';

/** Where pahole 1.24 notices that a type is not there. */
export const MISSING = {
  pointee: 'tag__ptr_name:496',
  modified: '__tag__name:572',
  element: '__tag__name:590',
  arrayElement: 'array_type__fprintf:238',
  parameterPointee: 'ftype__fprintf_parms:1142',
  paddedMember: '__class__fprintf:1546',
  member: '__class__fprintf:1609',
  typedef: 'typedef__fprintf:317',
  typedefPointee: 'typedef__fprintf:331',
  // Here the tool itself crashes, and prints nothing.
  unionMember: 'union__fprintf',
} as const;

/** Where pahole 1.24 notices that a type refers to itself. */
export const LOOP = {
  pointee: 'tag__ptr_name:498',
  modified: '__tag__name:573',
  element: '__tag__name:591',
  memberPointee: 'type__fprintf:775',
  parameterPointee: 'ftype__fprintf_parms:1145',
} as const;

/** In the place of a declaration; it ends a line. */
export function missingType(place: string, id: number): string {
  return `<ERROR(${place}): ${id | 0} not found!>\n`;
}

/** In the place of a type's name. */
export function missingName(place: string, id: number): string {
  return `<ERROR(${place}): ${id === 0 ? '0' : `0x${id.toString(16)}`} not found!>`;
}

/** In the place of a parameter's type. */
export function missingParameter(id: number): string {
  return `<ERROR: type ${id | 0} not found>`;
}

const TAG_NAMES: Readonly<Record<number, string>> = {
  [BtfKind.PTR]: 'pointer_type',
  [BtfKind.ARRAY]: 'array_type',
  [BtfKind.TYPEDEF]: 'typedef',
  [BtfKind.VOLATILE]: 'volatile_type',
  [BtfKind.CONST]: 'const_type',
  [BtfKind.RESTRICT]: 'restrict_type',
  [BtfKind.FUNC_PROTO]: 'subroutine_type',
};

/** A type of `kind` refers to `id`, which refers to itself. */
export function typeLoop(place: string, kind: number, id: number): string {
  return `<ERROR(${place}): detected type loop: type=${id | 0}, tag=${TAG_NAMES[kind] ?? 'INVALID'}>`;
}
