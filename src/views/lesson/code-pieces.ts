/** Texts of options, pins and answers are no Markdown, but for code between back ticks. */

export type TextPiece = {
  readonly text: string;
  readonly isCode: boolean;
  /** Characters from the start of the whole text. */
  readonly start: number;
};

/** The text cut at its back ticks; one without a second stays as it is. */
export function codePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    if (match.index > end)
      pieces.push({ text: text.slice(end, match.index), isCode: false, start: end });
    pieces.push({ text: match[1] ?? '', isCode: true, start: match.index });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isCode: false, start: end });
  return pieces;
}
