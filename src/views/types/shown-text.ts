/** Texts of several lines, made fit to be drawn. */
export type ClippedText = { readonly text: string; readonly linesLeftOut: number };

/** The first lines of `text`, at most `limit` characters: a browser takes seconds for a million. */
export function clipLines(text: string, limit: number): ClippedText {
  if (text.length <= limit) return { text, linesLeftOut: 0 };
  const cut = text.lastIndexOf('\n', limit);
  const end = cut > 0 ? cut : limit;
  let linesLeftOut = 1;
  for (let at = text.indexOf('\n', end + 1); at >= 0; at = text.indexOf('\n', at + 1)) {
    linesLeftOut++;
  }
  return { text: text.slice(0, end), linesLeftOut };
}
