import { useMemo } from 'react';
import { kindHistogram } from '#analysis/types/kind-counts.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { Histogram } from '#ui/Histogram.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { kindStyle } from '#views/parts/kind-style.ts';
import { countOf } from '#views/parts/number-text.ts';
import { OverviewCard } from './OverviewCard.tsx';

/** How many types of each kind; a line leads to the first type of its kind. */
export function KindsCard({ types }: { readonly types: TypeTable }) {
  const counts = useMemo(() => kindHistogram(types), [types]);
  return (
    <OverviewCard title="Kinds of type" aside={countOf(types.count, 'type')}>
      <Histogram
        label="Kinds of type"
        items={counts.map(({ kind, count }) => ({
          id: `${kind}`,
          label: kindStyle(kind).name,
          value: count,
          valueText: grouped(count),
          tone: kindStyle(kind).tone,
          mark: <KindBadge kind={kind} decorative />,
        }))}
        onSelect={(id) => showFirst(types, Number(id))}
      />
    </OverviewCard>
  );
}

function showFirst(types: TypeTable, kind: number) {
  for (let i = 0; i < types.count; i++) {
    const id = typeId(types.firstId + i);
    if (kindOf(types, id) === kind) {
      select(typeSelection(id), 'types');
      return;
    }
  }
}
