import { useMemo } from 'react';
import type { TermId } from '#lessons/glossary/term-names.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { TermList } from '#views/parts/Term.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { typeFacts } from './type-facts.ts';

/** Labels whose words alone do not tell which term is meant. */
const TERMS: Readonly<Partial<Record<string, TermId>>> = {
  Encoding: 'int-encoding',
  Elements: 'nelems',
  Declares: 'kind-fwd',
  Values: 'kind-flag',
  Component: 'component-idx',
};

/** What the record says beside its items: what it points at, encoding, linkage, number of elements. */
export function FactsSection({
  types,
  type,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  const facts = useMemo(() => typeFacts(types, type), [types, type]);
  if (facts.length === 0) return null;
  const items = facts.map((fact) =>
    'type' in fact
      ? { term: fact.term, value: <TypeLink types={types} type={fact.type} badge /> }
      : { term: fact.term, value: fact.text, isMono: true },
  );
  return <TermList items={items} terms={TERMS} />;
}
