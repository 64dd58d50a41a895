import type { TermId } from '#lessons/glossary/term-names.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { TermText } from './TermText.tsx';

type TermListProps = {
  readonly items: readonly KeyValueItem[];
  /** Which term a label is where its words alone do not tell: `Encoding` of an INT. */
  readonly terms?: Readonly<Partial<Record<string, TermId>>>;
};

/** Names and their values; names that are terms of the field have their cards. */
export function TermList({ items, terms = {} }: TermListProps) {
  return (
    <KeyValue items={items} renderTerm={(term) => <TermText text={term} as={terms[term]} />} />
  );
}
