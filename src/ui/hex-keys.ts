/**
 * The byte that a key leads to from `from`, or null when the key moves no byte.
 * `isFar` (Ctrl or Command) takes Home and End to the ends of the region.
 */
export function byteAfterKey(
  key: string,
  from: number,
  space: HexSpace,
  isFar: boolean,
): number | null {
  const { baseOffset, length, columns, pageRows } = space;
  if (length === 0) return null;
  const last = baseOffset + length - 1;
  const column = (from - baseOffset) % columns;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(baseOffset, from - 1);
    case 'ArrowRight':
      return Math.min(last, from + 1);
    // A row up or down keeps the column; where there is no such row the byte stays.
    case 'ArrowUp':
      return from - columns >= baseOffset ? from - columns : from;
    case 'ArrowDown':
      return from + columns <= last ? from + columns : from;
    case 'PageUp':
      return Math.max(baseOffset + column, from - columns * pageRows);
    case 'PageDown': {
      const rowsBelow = Math.floor((last - from) / columns);
      return from + columns * Math.min(pageRows, rowsBelow);
    }
    case 'Home':
      return isFar ? baseOffset : from - column;
    case 'End':
      return isFar ? last : Math.min(last, from - column + columns - 1);
    default:
      return null;
  }
}

export type HexSpace = {
  readonly baseOffset: number;
  readonly length: number;
  readonly columns: number;
  readonly pageRows: number;
};
