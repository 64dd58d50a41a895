import { BtfKind } from '#formats/btf/kinds.ts';

/** Pieces of text. A character is one byte, so that lengths are those that C's printf counts. */

/** Limit of an indent in tabs: the length of pahole's string of tabs. */
const MAX_TABS = 16;
const CALL_LENGTH = 1 << 13;

const TABS = Array.from({ length: MAX_TABS + 1 }, (_, count) => '\t'.repeat(count));
const SPACES = Array.from({ length: 64 }, (_, count) => ' '.repeat(count));

/** Returns bytes as a text with one character per byte. */
export function byteText(bytes: Uint8Array): string {
  // For ASCII, the UTF-8 decoder is faster. Other bytes give fewer characters or U+FFFD.
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

/** Returns the indent of the members of a type that is indented by `count` tabs. */
export function deeper(count: number): number {
  return Math.min(count, MAX_TABS) + 1;
}

/** Returns `count` spaces; none for a negative count. */
export function spaces(count: number): string {
  return SPACES[count] ?? ' '.repeat(Math.max(0, count));
}

/** Joins parts into a flat text. V8 would flatten a concatenation at each use. */
export function joined(...parts: readonly string[]): string {
  return parts.join('');
}

/** Formats C's `%-*s`: adds spaces after `text`. A negative width counts as positive. */
export function padded(text: string, width: number): string {
  return text + spaces(Math.abs(width) - text.length);
}

/** Text that C's printf prints for a NULL string. */
export const NULL = '(null)';

/** Formats C's `%s`: null is printed as `(null)`. */
export function orNull(name: string | null): string {
  return name ?? NULL;
}

/** Width of the column of member types in an outermost struct or union. */
export const TYPE_SPACING = 26;
/** Number of characters by which the column is narrower in a nested composite. */
export const NESTED_SPACING = 8;
/** Widths of the column of member names, in a struct and in a union. */
export const STRUCT_NAME_SPACING = 23;
export const UNION_NAME_SPACING = 21;

/**
 * Texts that pahole prints for a type that it cannot follow.
 *
 * The texts contain a function and a line of pahole's source. The lines are those of 1.24; other
 * versions have the same functions at other lines.
 */

/** Functions of pahole, with a line number, that detect a missing type. */
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
  // pahole crashes here, and prints nothing.
  unionMember: 'union__fprintf',
} as const;

/** Functions of pahole, with a line number, that detect a type that refers to itself. */
export const LOOP = {
  pointee: 'tag__ptr_name:498',
  modified: '__tag__name:573',
  element: '__tag__name:591',
  memberPointee: 'type__fprintf:775',
  parameterPointee: 'ftype__fprintf_parms:1145',
} as const;

/** Returns the text that replaces a declaration of a missing type, with a line end. */
export function missingType(place: string, id: number): string {
  return `<ERROR(${place}): ${id | 0} not found!>\n`;
}

/** Returns the text that replaces the name of a missing type. */
export function missingName(place: string, id: number): string {
  return `<ERROR(${place}): ${id === 0 ? '0' : `0x${id.toString(16)}`} not found!>`;
}

/** Returns the text that replaces a parameter of a missing type. */
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

/** Returns the text for a type of `kind` whose target `id` refers to itself. */
export function typeLoop(place: string, kind: number, id: number): string {
  return `<ERROR(${place}): detected type loop: type=${id | 0}, tag=${TAG_NAMES[kind] ?? 'INVALID'}>`;
}
