/** Names as text. Names in files are arbitrary bytes; characters may be invisible or misleading. */

// Keeps a byte order mark at the start of a name, because two names may differ only in the mark.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the offset of the NUL that ends the string at `start`, or the end of `bytes`. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(0, start);
  return end < 0 ? bytes.length : end;
}

/** Returns the NUL-terminated text at `start`; empty if `start` is outside of `bytes`. */
export function decodeName(bytes: Uint8Array, start: number): string {
  if (start < 0 || start >= bytes.length) return '';
  return decodeText(bytes.subarray(start, stringEnd(bytes, start)));
}

/** Returns `bytes` as text. If `bytes` is not UTF-8, each byte over 0x7f becomes `\xNN`. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > 64) return decodeWide(bytes);
  for (const byte of bytes) if (byte >= 0x80) return decodeWide(bytes);
  // Builds the string in one call: adding one character at a time takes five times the memory.
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

/** Replaces bytes over 0x7f by `\xNN`. Adding characters to a string takes 30 times the memory. */
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

// Characters that `visible` escapes: control characters, direction marks, zero-width and other
// characters that draw nothing (Unicode's Default_Ignorable_Code_Point, the empty braille cell),
// spaces other than U+0020, lone surrogates, and noncharacters, which XML does not allow.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/** Returns `name` with `\u{…}` for each character that is invisible or changes the direction. */
export function visible(name: string): string {
  return name.replace(HIDDEN, (c) => {
    const code = c.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** Returns a line of text escaped like `visible`, but keeps tabs. */
export function visibleLine(line: string): string {
  return line.replace(/[^\t]+/g, visible);
}

/** Returns a text escaped like `visible`, but keeps line ends and tabs. */
export function visibleLines(text: string): string {
  return text.replace(/[^\n\t]+/g, visible);
}

/** Longest name that is drawn, in characters. A hostile name can be as long as the file. */
const MAX_DRAWN_LENGTH = 1000;

/** Returns `name` as `visible` does, but cut: browsers take seconds to draw a megabyte of text. */
export function drawnName(name: string): string {
  return visible(name.length > MAX_DRAWN_LENGTH ? `${name.slice(0, MAX_DRAWN_LENGTH)}…` : name);
}

/** Returns a number and its noun: `1 member`, `2 members`. */
export function counted(count: number | bigint, noun: string): string {
  return `${count} ${noun}${count === 1 || count === 1n ? '' : 's'}`;
}

/** Returns a number (not negative) in hex with at least `digits` digits: `0x18`. */
export function hexText(value: number | bigint, digits = 1): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

/** Returns a whole number in hex with its sign: `0x18`, `-0x10`. */
export function signedHex(value: number | bigint): string {
  return value < 0 ? `-${hexText(-value)}` : hexText(value);
}

/** Two hex digits for each byte. The index is the value of the byte. */
export const BYTE_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Returns `bytes` as two hex digits each: `7f454c46`. */
export function hexDigits(bytes: Iterable<number>): string {
  let text = '';
  for (const byte of bytes) text += BYTE_DIGITS[byte];
  return text;
}

/** Returns a range of bit numbers as the kernel's documents write it: `bit 3`, `bits 3-7`. */
export function bitRange(first: number | bigint, count: number): string {
  return count === 1 ? `bit ${first}` : `bits ${first}-${BigInt(first) + BigInt(count) - 1n}`;
}

/** Returns a bit offset in words: `byte 8`, `byte 8, bit 3`. */
export function bitPlace(bitOffset: number | bigint): string {
  const bits = BigInt(bitOffset);
  return `byte ${bits / 8n}${bits % 8n === 0n ? '' : `, bit ${bits % 8n}`}`;
}

/** Returns a bit offset in hex: `0x58` for a whole byte, `0x58:3` for bit 3 of the byte. */
export function hexPlace(bitOffset: number | bigint): string {
  const bits = BigInt(bitOffset);
  const byte = hexText(bits / 8n);
  return bits % 8n === 0n ? byte : `${byte}:${bits % 8n}`;
}

/**
 * Parses a list of names, numbered from 0. `12:` sets the number of the next name to 12. `BPF_*`
 * adds `BPF_` to the later names, except to names that begin with `=`.
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

/** Parses a list like `numberedNames`, but of names with spaces. `|` or a line end ends a name. */
export function numberedPhrases(text: string): ReadonlyMap<number, string> {
  return numberedNames(text, /\s*[|\n]\s*/);
}

/** Returns the names of the bits that are set in `flags`, in the order of `bits`. */
export function namesOfBits(bits: ReadonlyMap<number, string>, flags: number): readonly string[] {
  return Array.from(bits).flatMap(([bit, name]) => ((flags & bit) === 0 ? [] : [name]));
}

/** Returns a function that converts a number to its name in `names`, or to null if it has none. */
export function lookupIn(names: ReadonlyMap<number, string>): (number: number) => string | null {
  return (number) => names.get(number) ?? null;
}

/** Converts a bigint to a number if that is exact. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
