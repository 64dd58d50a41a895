/** Lines and columns as places between the characters of a text. */

/** The offset of a line and column, both from 1; the end of the text where it is shorter. */
export function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
