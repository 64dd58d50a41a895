/** Which cards answer what was typed: by their names first, then by what they say. */
import type { TermCard, TermGroup } from '#glossary/term.ts';
import { TERM_NAMES } from '#glossary/term-names.ts';

/** Groups with the cards that have all words of `text` in a name or in their sentences; all of them for no text. */
export function matchingGroups(groups: readonly TermGroup[], text: string): readonly TermGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const named = keep(groups, (card) => hasAll(namesOf(card), words));
  // A name is what was meant, where it is one; only else is the text of the cards searched.
  return named.length > 0
    ? named
    : keep(groups, (card) => hasAll(`${namesOf(card)} ${card.says.join(' ')}`, words));
}

function keep(groups: readonly TermGroup[], test: (card: TermCard) => boolean): TermGroup[] {
  return groups
    .map(({ title, cards }) => ({ title, cards: cards.filter(test) }))
    .filter(({ cards }) => cards.length > 0);
}

function namesOf({ id }: TermCard): string {
  return TERM_NAMES[id].join(' ');
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
