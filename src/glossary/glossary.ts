/// <reference types="vite/types/importMeta.d.ts" />
/** All glossary cards. The page imports this module when the first card opens. */
import { readCards } from './read-cards.ts';
import type { TermCard, TermGroup } from './term.ts';
import type { TermId } from './term-names.ts';

const TEXTS = import.meta.glob<string>('./texts/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Groups in learning order: the order of their file names. */
export const GLOSSARY: readonly TermGroup[] = Object.values(TEXTS).map(readCards);

const BY_ID: ReadonlyMap<TermId, TermCard> = new Map(
  GLOSSARY.flatMap(({ cards }) => cards.map((card) => [card.id, card])),
);

/** Returns the card of a term; a test checks that every term has one. */
export function cardOf(id: TermId): TermCard | null {
  return BY_ID.get(id) ?? null;
}
