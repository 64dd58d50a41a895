/**
 * The row that a key leads to in a list of `count` rows, or null when the key
 * is none of the list's or there are no rows. `from` is the active row, null
 * when there is none yet; `pageRows` is what PageUp and PageDown move by.
 */
export function rowAfterKey(
  key: string,
  from: number | null,
  count: number,
  pageRows: number,
): number | null {
  const last = count - 1;
  if (last < 0) return null;
  const step = (delta: number) =>
    from === null ? (delta > 0 ? 0 : last) : Math.max(0, Math.min(last, from + delta));
  switch (key) {
    case 'ArrowDown':
      return step(1);
    case 'ArrowUp':
      return step(-1);
    case 'PageDown':
      return step(pageRows);
    case 'PageUp':
      return step(-pageRows);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
