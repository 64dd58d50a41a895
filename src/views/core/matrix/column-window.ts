/** Columns that are drawn before they are seen, on both sides: a scroll may be faster than a frame. */
const OVERSCAN = 3;

/** Which of `count` columns of one width are in sight, and a few more. All lengths are CSS pixels. */
export function columnWindow({
  count,
  width,
  scrollLeft,
  room,
}: {
  readonly count: number;
  readonly width: number;
  readonly scrollLeft: number;
  /** What is left for them beside the column that stays. */
  readonly room: number;
}): { readonly first: number; readonly end: number } {
  const first = Math.floor(scrollLeft / width) - OVERSCAN;
  const end = Math.ceil((scrollLeft + Math.max(0, room)) / width) + OVERSCAN;
  const clamp = (column: number) => Math.max(0, Math.min(count, column));
  return { first: clamp(first), end: clamp(end) };
}
