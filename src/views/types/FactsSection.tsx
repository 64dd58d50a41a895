import { useMemo } from 'react';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { typeFacts } from './type-facts.ts';

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
  return <KeyValue items={items} />;
}
