/** A line of a lesson that is not read as Markdown: an option, a reply, a pin. Of marks it has code and emphasis. */

export type InlinePiece = {
  readonly kind: 'text' | 'code' | 'emphasis';
  readonly text: string;
  /** Characters from the start of the whole text. */
  readonly start: number;
};

/** Code between back ticks; or words between asterisks that are no pointers of C. */
const MARKED = /`([^`]+)`|(?<![\w*])\*(?=\w)([^*`]*\w)\*(?![\w*])/g;

/** The text cut at its marks; one without a second stays as it is. */
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

/** The text without its marks, for paper and notes. */
export function withoutMarks(text: string): string {
  return inlinePieces(text)
    .map((piece) => piece.text)
    .join('');
}
