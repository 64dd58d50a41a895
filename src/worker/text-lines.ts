/** Where the lines of a whole text begin, as they are shown. */

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
const BRACE = 0x7b;

/** Does a line begin behind the byte before `at`? */
type BeginsLine = (bytes: Uint8Array, at: number) => boolean;

/** Lines as they are in the file. */
export const BY_NEWLINE: BeginsLine = (bytes, at) => bytes[at - 1] === NEWLINE;

/**
 * bpftool's JSON is one line: here a line for each type and each of its items. A
 * quote inside a name has a backslash before it, so that `{"` and a letter behind
 * a comma or bracket is never part of one.
 */
export const BY_OBJECT: BeginsLine = (bytes, at) => {
  if (bytes[at] !== BRACE || bytes[at + 1] !== QUOTE) return false;
  const before = bytes[at - 1] ?? 0;
  const letter = bytes[at + 2] ?? 0;
  return (before === COMMA || before === BRACKET) && letter >= SMALL_A && letter <= SMALL_Z;
};

/**
 * Offset of each line in `bytes`, the first at 0; none for an empty text. Not more
 * than `limit`: names may consist of line ends, and a line costs four bytes.
 */
export function lineStartsOf(
  bytes: Uint8Array,
  beginsLine: BeginsLine,
  limit: number,
): Uint32Array<ArrayBuffer> {
  const { length } = bytes;
  if (length === 0) return new Uint32Array(0);
  let count = 1;
  for (let at = 1; at < length && count < limit; at++) if (beginsLine(bytes, at)) count++;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = 1; line < count; at++) if (beginsLine(bytes, at)) starts[line++] = at;
  return starts;
}
