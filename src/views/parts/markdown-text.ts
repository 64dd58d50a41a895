/** Text of Markdown, fit to be drawn. */
import { visible } from '#bytes/text.ts';

/** A line break of the Markdown is a space; what cannot be seen is made visible. */
export function markdownText(text: string): string {
  return visible(text.replaceAll(/[\n\r\t]+/g, ' '));
}
