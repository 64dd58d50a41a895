/** Text of a lesson, fit to be drawn. */
import { visible } from '#bytes/text.ts';

/** A line break of the Markdown is a space; what cannot be seen is made visible. */
export function lessonText(text: string): string {
  return visible(text.replaceAll(/[\n\r\t]+/g, ' '));
}
