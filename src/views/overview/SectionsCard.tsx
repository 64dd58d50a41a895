import { useMemo, useState } from 'react';
import { selectionSpan } from '#analysis/code/selection.ts';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { Run } from '#bytes/steps.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { useLastRun } from '#views/parts/use-run.ts';
import { type RowColumn, rowColumns, showSection } from './FileMap.tsx';
import { OverviewCard } from './OverviewCard.tsx';
import {
  nextOrder,
  type Reference,
  type SectionColumnSet,
  type SectionOrder,
  type SectionRow,
  sectionColumnSet,
  sectionOrderSteps,
  sectionRow,
} from './section-rows.ts';

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

/** The columns of the table of sections; `counts` = relocations on each section. */
function sectionColumns(
  counts: Uint32Array,
  { hasFlags, hasLinks }: SectionColumnSet,
): RowColumn<SectionRow>[] {
  return [
    {
      id: 'index',
      header: 'Nr',
      width: 56,
      align: 'end',
      cell: (row) => <span className="muted">{row.section}</span>,
    },
    {
      id: 'name',
      header: 'Name',
      width: 190,
      grow: 2,
      cell: (row) => <Name text={row.name} otherwise="(no name)" />,
    },
    {
      id: 'type',
      header: 'Type',
      width: hasFlags ? 110 : 190,
      grow: 1,
      mono: true,
      cell: (row) => row.typeName,
    },
    ...(hasFlags ? [FLAGS] : []),
    ...(hasLinks ? [] : [ADDRESS]),
    {
      id: 'offset',
      header: 'Offset',
      width: 96,
      align: 'end',
      mono: true,
      sortable: true,
      cell: (row) => hexText(row.offset),
    },
    {
      id: 'size',
      header: 'Bytes',
      width: 96,
      align: 'end',
      sortable: true,
      cell: (row) => grouped(row.size),
    },
    ...(hasLinks ? LINKS : []),
    {
      id: 'relocations',
      header: 'Relocations',
      width: 120,
      align: 'end',
      sortable: true,
      cell: (row) => {
        const count = counts[row.section] ?? 0;
        return count === 0 ? '' : grouped(count);
      },
    },
  ];
}

const FLAGS: RowColumn<SectionRow> = {
  id: 'flags',
  header: 'Flags',
  heading: <Term id="sh-flags">Flags</Term>,
  width: 64,
  mono: true,
  cell: (row) => row.flags,
};

const ADDRESS: RowColumn<SectionRow> = {
  id: 'address',
  header: 'Address',
  width: 130,
  align: 'end',
  mono: true,
  cell: (row) => hexText(row.address),
};

const LINKS: readonly RowColumn<SectionRow>[] = [
  {
    id: 'link',
    header: 'Link',
    heading: <Term id="sh-link">Link</Term>,
    width: 130,
    grow: 1,
    cell: (row) => reference(row.link),
  },
  {
    id: 'info',
    header: 'Info',
    heading: <Term id="sh-info">Info</Term>,
    width: 130,
    grow: 1,
    cell: (row) => reference(row.info),
  },
];

function reference(to: Reference | null) {
  if (to === null) return null;
  return (
    <>
      <span className="muted">{to.number}</span> {to.name === '' ? null : <Name text={to.name} />}
    </>
  );
}
