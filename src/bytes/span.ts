/** Ranges of bytes in a file. Offsets count from the start of the file after unpacking. */

/** Range of bytes from `start` (inclusive) to `end` (exclusive). */
export type Span = { readonly start: number; readonly end: number };

/** Returns the span of `length` bytes that begins at `start`. */
export function spanOf(start: number, length: number): Span {
  return { start, end: start + length };
}

/** Byte order of a region. */
export type Endian = 'little' | 'big';
