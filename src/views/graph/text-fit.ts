/** Advance of one character of the monospace fonts, as part of the font size; the widest of ours. */
const ADVANCE = 0.605;

/** `text`, cut with `…` where it is wider than `width` CSS pixels at that font size. SVG has no ellipsis of its own. */
export function fitText(text: string, width: number, fontSize: number): string {
  const most = Math.max(1, Math.floor(width / (ADVANCE * fontSize)));
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
