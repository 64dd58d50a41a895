/// <reference types="vite/types/importMeta.d.ts" />
/** All glossary cards. The page imports this module when the first card opens. */

import { EXAMPLES } from './examples.ts';
import { readPicture, type TermCard, type TermGroup } from './term.ts';
import { isTermId, type TermId } from './term-names.ts';

/**
 * Reads the glossary's Markdown. A file is a group of cards, `# Title`; a card is
 *
 *   ## TERM-ID
 *
 *   Two sentences, each on a line.
 *
 *   A fenced picture: see `readPicture`.
 *
 *   [Section](address "Document")
 *
 *   Related: TERM-ID, TERM-ID
 *
 * The Markdown parser of the lessons needs 0.5 s for all cards, a regular expression 2 ms.
 */

const CARD =
  /^(\S+)\n\n(.+)\n(.+)\n\n```(\w+) ?(.*)\n([^`]+)\n```\n\n\[(.+)\]\((\S+) "(.+)"\)\n\nRelated: (.+)\s*$/;

/** Returns the cards of a Markdown file. Throws `Error` if the text does not have this form. */
export function readCards(text: string): TermGroup {
  const [head = '', ...cards] = text.split(/^## /m);
  return { title: head.replace(/^# /, '').trimEnd(), cards: cards.map(readCard) };
}

function readCard(card: string): TermCard {
  const fields = CARD.exec(card);
  if (fields === null) throw new Error(`A glossary card has another form:\n${card}`);
  const [, id = '', first = '', second = '', ...rest] = fields;
  const [kind = '', label = '', lines = '', section = '', address = '', document = ''] = rest;
  return {
    id: termId(id),
    sentences: [withoutMarks(first), withoutMarks(second)],
    picture: readPicture(kind, label, lines),
    source: { document, section, address },
    related: (rest[6] ?? '').split(', ').map(termId),
    find: EXAMPLES[termId(id)] ?? null,
  };
}

/** Removes code marks. Cards show plain text; Markdown needs the marks around `<…>` and `__…__`. */
function withoutMarks(text: string): string {
  return text.replaceAll('`', '');
}

function termId(id: string): TermId {
  if (!isTermId(id)) throw new Error(`The glossary has no term ${id}`);
  return id;
}

const TEXTS = import.meta.glob<string>('./texts/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Groups of cards in learning order, which is the order of the file names. */
export const GLOSSARY: readonly TermGroup[] = Object.values(TEXTS).map(readCards);

const BY_ID: ReadonlyMap<TermId, TermCard> = new Map(
  GLOSSARY.flatMap(({ cards }) => cards.map((card) => [card.id, card])),
);

/** Returns the card of a term, or null. A test checks that every term has a card. */
export function cardOf(id: TermId): TermCard | null {
  return BY_ID.get(id) ?? null;
}
