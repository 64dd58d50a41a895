/** Lines of code of which few are shown, around those that are meant. */

export type Line = {
  /** From 0; no other line of a picture has it. */
  readonly number: number;
  readonly text: string;
  readonly isMarked: boolean;
};

/** Stands for lines that are left out before or behind the line of that number. */
export function gapAt(number: number): Line {
  return { number, text: '⋮', isMarked: false };
}

/** At most `most` lines of `count`, the marked one among them; a gap where some are left out. `textAt` is asked for those alone. */
export function linesAround(
  count: number,
  marked: number,
  most: number,
  textAt: (i: number) => string,
): Line[] {
  const middle = Math.max(0, marked);
  const first = Math.max(0, Math.min(middle - Math.floor(most / 2), count - most));
  const end = Math.min(count, first + most);
  const lines: Line[] = first > 0 ? [gapAt(first - 1)] : [];
  for (let i = first; i < end; i++) {
    lines.push({ number: i, text: textAt(i), isMarked: i === marked });
  }
  if (end < count) lines.push(gapAt(end));
  return lines;
}
