/**
 * Names in BTF and ELF are arbitrary bytes. `decodeName` gives them as text,
 * `visible` makes what cannot be seen, or would mislead, visible as escapes.
 */

// A byte order mark at the start of a name is a part of it: without it the name is another one's.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Offset of the NUL that ends the string at `start`, or the end of `bytes`. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(0, start);
  return end < 0 ? bytes.length : end;
}

/** The NUL-terminated string at `start`; bytes that are not UTF-8 come out as `\xNN`. Empty when `start` is outside. */
export function decodeName(bytes: Uint8Array, start: number): string {
  if (start < 0 || start >= bytes.length) return '';
  return decodeText(bytes.subarray(start, stringEnd(bytes, start)));
}

/** `bytes` as text; where they are not UTF-8 each byte over 0x7f is written `\xNN`. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > 64) return decodeWide(bytes);
  for (const byte of bytes) if (byte >= 0x80) return decodeWide(bytes);
  // In one call: a text to which characters are added one by one takes five times the memory.
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

/** With `\xNN` for each byte over 0x7f. As bytes: a text of 8 MB put together by characters takes 30 times that. */
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

// Control characters, direction marks and overrides, zero-width and other characters that
// show nothing (Unicode's Default_Ignorable_Code_Point, the empty braille cell), blanks that
// are no space, lone surrogates, and what is no character, which XML does not allow.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/** `name` with every character that is invisible or turns the writing direction written as `\u{…}`. */
export function visible(name: string): string {
  return name.replace(HIDDEN, (c) => {
    const code = c.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** A line of text as `visible`, but that its tabs stay. */
export function visibleLine(line: string): string {
  return line.replace(/[^\t]+/g, visible);
}

/** A text as `visible`, but that its line ends and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(/[^\n\t]+/g, visible);
}

/** A longer name is cut before it is drawn: a hostile one is as long as the file. */
const MOST_DRAWN = 1000;

/** As `visible`, and cut after a thousand characters: browsers take seconds to lay out a megabyte. */
export function drawnName(name: string): string {
  return visible(name.length > MOST_DRAWN ? `${name.slice(0, MOST_DRAWN)}…` : name);
}

/** `1 member`, `2 members`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `0x18`: `0x` and at least `digits` digits. Not for negative numbers. */
export function hexText(value: number | bigint, digits = 1): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

/** A whole number in hex with its sign: `0x18`, `-0x10`. */
export function signedHex(value: number | bigint): string {
  return value < 0 ? `-${hexText(-value)}` : hexText(value);
}

/** The two hex digits of each value of a byte. */
export const BYTE_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Two digits a byte, in their order: `7f454c46`. */
export function hexDigits(bytes: Iterable<number>): string {
  let text = '';
  for (const byte of bytes) text += BYTE_DIGITS[byte];
  return text;
}
