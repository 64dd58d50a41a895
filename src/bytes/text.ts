/** Names as text. Names in files are arbitrary bytes, which can be invisible or misleading. */

// A byte order mark at the start of a name is part of it: another type may have the name without it.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the offset of the NUL that ends the string at `start`, or the end of `bytes`. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(0, start);
  return end < 0 ? bytes.length : end;
}

/** Returns the NUL-terminated string at `start`, as `decodeText`; empty if `start` is outside. */
export function decodeName(bytes: Uint8Array, start: number): string {
  if (start < 0 || start >= bytes.length) return '';
  return decodeText(bytes.subarray(start, stringEnd(bytes, start)));
}

/** Returns `bytes` as text; if they are not UTF-8, each byte over 0x7f becomes `\xNN`. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > 64) return decodeWide(bytes);
  for (const byte of bytes) if (byte >= 0x80) return decodeWide(bytes);
  // In one call: a string built character by character takes five times the memory.
  return Reflect.apply(String.fromCharCode, null, bytes);
}

function decodeWide(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return strict.decode(escaped(bytes));
  }
}

const BACKSLASH = 0x5c;
const LETTER_X = 0x78;
const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef');

/** Writes `\xNN` for each byte over 0x7f, as bytes: a string of 8 MB built by characters takes 30 times its memory. */
function escaped(bytes: Uint8Array): Uint8Array {
  const wide = bytes.reduce((count, byte) => count + (byte >> 7), 0);
  const text = new Uint8Array(bytes.length + 3 * wide);
  let at = 0;
  for (const byte of bytes) {
    if (byte < 0x80) {
      text[at++] = byte;
      continue;
    }
    text[at++] = BACKSLASH;
    text[at++] = LETTER_X;
    text[at++] = HEX_DIGITS[byte >> 4] ?? 0;
    text[at++] = HEX_DIGITS[byte & 15] ?? 0;
  }
  return text;
}

// Control characters, direction marks and overrides, zero-width and other characters that draw
// nothing (Unicode's Default_Ignorable_Code_Point, the empty braille cell), spaces other than
// U+0020, lone surrogates, and noncharacters, which XML does not allow.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/** Returns `name` with every character that is invisible or changes the writing direction as `\u{…}`. */
export function visible(name: string): string {
  return name.replace(HIDDEN, (c) => {
    const code = c.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** Returns a line of text as `visible`, with its tabs kept. */
export function visibleLine(line: string): string {
  return line.replace(/[^\t]+/g, visible);
}

/** Returns a text as `visible`, with its line ends and tabs kept. */
export function visibleLines(text: string): string {
  return text.replace(/[^\n\t]+/g, visible);
}

/** Longest name that is drawn, in characters: a hostile name is as long as the file. */
const MAX_DRAWN_LENGTH = 1000;

/** Returns the name as `visible`, cut after a thousand characters: browsers take seconds to lay out a megabyte. */
export function drawnName(name: string): string {
  return visible(name.length > MAX_DRAWN_LENGTH ? `${name.slice(0, MAX_DRAWN_LENGTH)}…` : name);
}

/** Returns `1 member`, `2 members`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns `0x18`: `0x` and at least `digits` digits. Not for negative numbers. */
export function hexText(value: number | bigint, digits = 1): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

/** Returns a whole number in hex with its sign: `0x18`, `-0x10`. */
export function signedHex(value: number | bigint): string {
  return value < 0 ? `-${hexText(-value)}` : hexText(value);
}

/** The two hex digits of each byte value. */
export const BYTE_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Returns two hex digits per byte: `7f454c46`. */
export function hexDigits(bytes: Iterable<number>): string {
  let text = '';
  for (const byte of bytes) text += BYTE_DIGITS[byte];
  return text;
}

/** Bits by their numbers, as the kernel's documents write them: `bit 3`, `bits 3-7`. */
export function bitRange(first: number | bigint, count: number): string {
  return count === 1 ? `bit ${first}` : `bits ${first}-${BigInt(first) + BigInt(count) - 1n}`;
}

/** A place in bits as words: `byte 8`, `byte 8, bit 3`. */
export function bitPlace(bitOffset: number | bigint): string {
  const bits = BigInt(bitOffset);
  return `byte ${bits / 8n}${bits % 8n === 0n ? '' : `, bit ${bits % 8n}`}`;
}

/** A place in bits in hex: `0x58`, and `0x58:3` for the fourth bit of that byte. */
export function hexPlace(bitOffset: number | bigint): string {
  const bits = BigInt(bitOffset);
  const byte = hexText(bits / 8n);
  return bits % 8n === 0n ? byte : `${byte}:${bits % 8n}`;
}

/**
 * Parses a table of names by number, as documents list them. Numbers count up; `12:` continues at
 * 12. A first word that ends with `*` is a prefix of all names except those that begin with `=`.
 */
export function numberedNames(
  text: string,
  separator: string | RegExp = /\s+/,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  let prefix = '';
  let next = 0;
  for (const word of text.trim().split(separator)) {
    const [, number, name = word] = /^(\d\w*):\s*(.*)$/.exec(word) ?? [];
    if (number !== undefined) next = Number(number);
    if (name.endsWith('*')) prefix = name.slice(0, -1);
    else if (name !== '') names.set(next++, name.startsWith('=') ? name.slice(1) : prefix + name);
  }
  return names;
}

/** As `numberedNames`, for names that contain spaces: `|` or a line end separates them. */
export function numberedPhrases(text: string): ReadonlyMap<number, string> {
  return numberedNames(text, /\s*[|\n]\s*/);
}

/** Returns the names of the bits that are set in `flags`, in the order of the table. */
export function namesOfBits(bits: ReadonlyMap<number, string>, flags: number): readonly string[] {
  return Array.from(bits).flatMap(([bit, name]) => ((flags & bit) === 0 ? [] : [name]));
}

/** Returns a function from the numbers of `names` to their names; null for other numbers. */
export function lookupIn(names: ReadonlyMap<number, string>): (number: number) => string | null {
  return (number) => names.get(number) ?? null;
}
