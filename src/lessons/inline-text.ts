/** Lines of a lesson with marks of code and emphasis only: options, explanations, callouts. */

export type InlinePiece = {
  readonly kind: 'text' | 'code' | 'emphasis';
  readonly text: string;
  /** Characters from the start of the line. */
  readonly start: number;
};

/** Code between back ticks, or words between asterisks. The asterisks of C pointers are no marks. */
const MARKED = /`([^`]+)`|(?<![\w*])\*(?=\w)([^*`]*\w)\*(?![\w*])/g;

/** Cuts a line at its marks. A mark without a counterpart is text. */
export function inlinePieces(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    const start = match.index;
    if (start > end) pieces.push({ kind: 'text', text: text.slice(end, start), start: end });
    const [all, code, emphasis = ''] = match;
    pieces.push(
      code === undefined
        ? { kind: 'emphasis', text: emphasis, start }
        : { kind: 'code', text: code, start },
    );
    end = start + all.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end), start: end });
  return pieces;
}

/** Returns a line without its marks. */
export function withoutMarks(text: string): string {
  return inlinePieces(text)
    .map((piece) => piece.text)
    .join('');
}
