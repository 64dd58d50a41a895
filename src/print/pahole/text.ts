import { BtfKind } from '#formats/btf/kinds.ts';

/** Pieces of text. A character is one byte, since names are bytes: the length is the one that C's printf counts. */

/** Length of pahole's string of tabs, from which it cuts indents. */
const MAX_TABS = 16;
const CALL_LENGTH = 1 << 13;

const TABS = Array.from({ length: MAX_TABS + 1 }, (_, count) => '\t'.repeat(count));
const SPACES = Array.from({ length: 64 }, (_, count) => ' '.repeat(count));

/** Returns bytes as text, one byte per character. */
export function byteText(bytes: Uint8Array): string {
  // Fast path for ASCII. Other text is shorter than its bytes or has replacement characters.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (utf8.length === bytes.length && !utf8.includes('\ufffd')) return utf8;
  let text = '';
  for (let at = 0; at < bytes.length; at += CALL_LENGTH) {
    text += String.fromCharCode(...bytes.subarray(at, at + CALL_LENGTH));
  }
  return text;
}

export function tabs(count: number): string {
  return TABS[Math.min(count, MAX_TABS)] ?? '';
}

/** Returns the indent of the members of a type with indent `count`. */
export function deeper(count: number): number {
  return Math.min(count, MAX_TABS) + 1;
}

/** Returns `count` spaces; empty for a negative count. */
export function spaces(count: number): string {
  return SPACES[count] ?? ' '.repeat(Math.max(0, count));
}

/** Joins parts of a frequently used text, since a concatenation would be flattened at each use. */
export function joined(...parts: readonly string[]): string {
  return parts.join('');
}

/** Formats `%-*s`: `text` with spaces after it. C treats a negative width as positive. */
export function padded(text: string, width: number): string {
  return text + spaces(Math.abs(width) - text.length);
}

/** Text of the C library for a missing name. */
export const NULL = '(null)';

/** Formats `%s`. */
export function orNull(name: string | null): string {
  return name ?? NULL;
}

/** Width of the member types in an outermost struct or union. */
export const TYPE_SPACING = 26;
/** Reduction of the width in a composite in place. */
export const NESTED_SPACING = 8;
/** Width of the member names of a struct, and of a union. */
export const STRUCT_NAME_SPACING = 23;
export const UNION_NAME_SPACING = 21;

/**
 * Texts of pahole in place of a type that it cannot follow.
 *
 * The texts name a function and a line of its source: those of 1.24. Other versions have the same
 * functions; their line numbers differ and are not reproduced.
 */

/** Places where pahole detects a missing type. */
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

/** Places where pahole detects a type that refers to itself. */
export const LOOP = {
  pointee: 'tag__ptr_name:498',
  modified: '__tag__name:573',
  element: '__tag__name:591',
  memberPointee: 'type__fprintf:775',
  parameterPointee: 'ftype__fprintf_parms:1145',
} as const;

/** Returns the text in place of a declaration; it ends a line. */
export function missingType(place: string, id: number): string {
  return `<ERROR(${place}): ${id | 0} not found!>\n`;
}

/** Returns the text in place of a type's name. */
export function missingName(place: string, id: number): string {
  return `<ERROR(${place}): ${id === 0 ? '0' : `0x${id.toString(16)}`} not found!>`;
}

/** Returns the text in place of a parameter's type. */
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
  [BtfKind.TYPE_TAG]: 'LLVM_annotation',
};

/** Returns the text for a type of `kind` that refers to `id`, which refers to itself. */
export function typeLoop(place: string, kind: number, id: number): string {
  return `<ERROR(${place}): detected type loop: type=${id | 0}, tag=${TAG_NAMES[kind] ?? 'INVALID'}>`;
}
