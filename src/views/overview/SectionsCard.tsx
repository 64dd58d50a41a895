import { useMemo, useState } from 'react';
import { selectionSpan } from '#analysis/code/selection.ts';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { Run } from '#bytes/steps.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useLastRun } from '#views/parts/use-run.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { rowColumns } from './row-columns.ts';
import { sectionColumns } from './section-columns.tsx';
import {
  nextOrder,
  type SectionOrder,
  sectionColumnSet,
  sectionOrderSteps,
  sectionRow,
} from './section-rows.ts';
import { showSection } from './show-part.ts';

const NO_ROWS = new Uint32Array(0);

/** All sections, those of ELF as `llvm-readelf -S` lists them, and how many relocations patch each. */
export function SectionsCard({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const [order, setOrder] = useState<SectionOrder | null>(null);
  const counts = useMemo(() => relocationCounts(model), [model]);
  const ordering = useMemo(
    () => new Run(sectionOrderSteps(model, counts, order)),
    [model, counts, order],
  );
  // Until the rows are in their new order they stay in the one before.
  const indices = useLastRun(ordering) ?? NO_ROWS;
  const columns = useMemo(
    () =>
      rowColumns(
        (index) => {
          const at = indices[index];
          return at === undefined ? undefined : sectionRow(model, sectionIndex(at));
        },
        sectionColumns(counts, sectionColumnSet(model)),
      ),
    [model, counts, indices],
  );
  const lit = litSection(model, selection);
  const selected = lit === null ? -1 : indices.indexOf(lit);
  const sectionOf = (index: number) => sectionIndex(indices[index] ?? 0);
  return (
    <OverviewCard title="Sections" aside={countOf(sectionCount(model.sections), 'section')} isFlush>
      <div style={{ height: tableHeight(indices.length, 16) }}>
        <LinkTable
          label="Sections"
          columns={columns}
          count={indices.length}
          selectedIndex={selected < 0 ? null : selected}
          onSelect={(index) => select({ kind: 'section', section: sectionOf(index) })}
          onActivate={(index) => showSection(sectionOf(index))}
          sort={order}
          onSort={(columnId) => setOrder(nextOrder(order, columnId))}
        />
      </div>
    </OverviewCard>
  );
}

/** The section that the selection is, or lies in. */
function litSection(model: ObjectModel, selection: Selection): SectionIndex | null {
  if (selection.kind === 'section') return selection.section;
  const span = selectionSpan(model, selection);
  return span === null ? null : sectionAt(model.sections, span.start);
}
