/** A text cut at the ends of the ranges that are marked in it. */

export type Piece = { readonly start: number; readonly text: string; readonly isMarked: boolean };

/** `ranges`: start and end (exclusive) of each run, ascending; what lies outside the text is left out. */
export function markedPieces(text: string, ranges: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (let i = 0; i + 1 < ranges.length; i += 2) {
    const start = Math.max(at, Math.min(text.length, ranges[i] ?? 0));
    const end = Math.max(start, Math.min(text.length, ranges[i + 1] ?? 0));
    if (start > at) pieces.push({ start: at, text: text.slice(at, start), isMarked: false });
    if (end > start) pieces.push({ start, text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ start: at, text: text.slice(at), isMarked: false });
  return pieces;
}
