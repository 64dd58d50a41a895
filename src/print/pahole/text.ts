import { BtfKind } from '#formats/btf/kinds.ts';

/**
 * Pieces of text. All text here has a byte in each character, since names are
 * bytes: its length is what C's printf would count.
 */

/** pahole has a string of so many tabs, and cuts from it. */
const MAX_TABS = 16;
const CALL_LENGTH = 1 << 13;

const TABS = Array.from({ length: MAX_TABS + 1 }, (_, count) => '\t'.repeat(count));
const SPACES = Array.from({ length: 64 }, (_, count) => ' '.repeat(count));

/** Bytes as text, one a character. */
export function byteText(bytes: Uint8Array): string {
  // The quick way, where all is ASCII; otherwise the text is shorter, or has marks for what is no UTF-8.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.length === bytes.length && !text.includes('\ufffd')) return text;
  let slow = '';
  for (let at = 0; at < bytes.length; at += CALL_LENGTH) {
    slow += String.fromCharCode(...bytes.subarray(at, at + CALL_LENGTH));
  }
  return slow;
}

export function tabs(count: number): string {
  return TABS[Math.min(count, MAX_TABS)] ?? '';
}

/** The indent of the members of what is itself indented by `count`. */
export function deeper(count: number): number {
  return Math.min(count, MAX_TABS) + 1;
}

/** So many spaces; none for a negative count. */
export function spaces(count: number): string {
  return SPACES[count] ?? ' '.repeat(Math.max(0, count));
}

/** A text that is used often: not left as a sum of parts, which would be added up at each use. */
export function whole(...parts: readonly string[]): string {
  return parts.join('');
}

/** `%-*s`: `text` with spaces after it. C takes a negative width for a positive one. */
export function padded(text: string, width: number): string {
  return text + spaces(Math.abs(width) - text.length);
}

/** What the C library makes of a name that is not there. */
export const NULL = '(null)';

/** `%s` */
export function orNull(name: string | null): string {
  return name ?? NULL;
}

/** For the type of a member of an outermost struct or union. */
export const TYPE_SPACING = 26;
/** So much less in a composite that is written in place. */
export const NESTED_SPACING = 8;
/** For the names of members of a struct, and of a union. */
export const STRUCT_NAME_SPACING = 23;
export const UNION_NAME_SPACING = 21;

/**
 * What pahole writes in place of a type that it cannot follow.
 *
 * The texts name a function and a line of its source: they are what 1.24 prints. Other
 * versions have the same functions; their lines differ, and are not followed here.
 */

/** Where pahole notices that a type is not there. */
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

/** Where pahole notices that a type refers to itself. */
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
  [BtfKind.TYPE_TAG]: 'LLVM_annotation',
};

/** A type of `kind` refers to `id`, which refers to itself. */
export function typeLoop(place: string, kind: number, id: number): string {
  return `<ERROR(${place}): detected type loop: type=${id | 0}, tag=${TAG_NAMES[kind] ?? 'INVALID'}>`;
}
