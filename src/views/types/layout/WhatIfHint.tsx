import { Shrink } from 'lucide-react';
import { useMemo } from 'react';
import { whatIf } from '#analysis/layout/what-if.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { setViewParam } from '#store/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { countOf } from '#views/parts/number-text.ts';

/** Says that another order of the members saves bytes, where one does, and leads there. */
export function WhatIfHint({
  types,
  composite,
}: {
  readonly types: TypeTable;
  readonly composite: TypeId;
}) {
  const proposal = useMemo(() => whatIf(types, composite), [types, composite]);
  if (proposal.kind !== 'smaller') return null;
  return (
    <Button size="small" onClick={() => setViewParam('types', 'as', 'what-if')}>
      <Shrink size={14} aria-hidden />
      Another order saves {countOf(proposal.savedBytes, 'byte')}
    </Button>
  );
}
