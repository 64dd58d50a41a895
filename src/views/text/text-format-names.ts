/** What the forms of a whole text are called. */
import type { TextFormat } from '#store/texts.ts';

/** On the switch between them. */
export const FORMAT_TITLES: Readonly<Record<TextFormat, string>> = {
  c: 'C',
  raw: 'Raw',
  json: 'JSON',
  pahole: 'pahole',
};

/** In a sentence: "The types as …". */
export const FORMAT_WORDS: Readonly<Record<TextFormat, string>> = {
  c: 'a C header',
  raw: 'raw records',
  json: 'JSON',
  pahole: 'pahole’s layouts',
};
