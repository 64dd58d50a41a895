/** Ranges of bytes in a file. All offsets are bytes from the start of the unpacked file. */

/** Bytes `start` (inclusive) to `end` (exclusive). */
export type Span = { readonly start: number; readonly end: number };

/** Returns the span of `length` bytes that begins at `start`. */
export function spanOf(start: number, length: number): Span {
  return { start, end: start + length };
}

/** Byte order of a region; passed as an argument, never global. */
export type Endian = 'little' | 'big';
