/** Characters; a browser takes seconds to lay out much more. */
const MOST = 200_000;

/** A long text up to the end of a line. */
export function shownText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= MOST) return { text, isCut: false };
  return { text: text.slice(0, text.lastIndexOf('\n', MOST) + 1 || MOST), isCut: true };
}
