import { useMemo, useState } from 'react';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { Run } from '#bytes/long-work.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { Active } from '#store/session/hooks.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { CutName, Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { Term } from '#views/parts/Term.tsx';
import { useLastRun } from '#views/parts/WhenReady.tsx';
import { OverviewCard } from './OverviewCard.tsx';
import {
  nextOrder,
  type Reference,
  type RowOrder,
  type SectionRow,
  sectionColumnSet,
  sectionOrderSteps,
  sectionRow,
} from './section-rows.ts';

const NO_ROWS = new Uint32Array(0);

/** Sections as `llvm-readelf -S` lists them, with the number of relocations that patch each. */
export function SectionsCard({ model, selection }: Active) {
  const [order, setOrder] = useState<RowOrder | null>(null);
  const counts = useMemo(() => relocationCounts(model), [model]);
  const ordering = useMemo(
    () => new Run(sectionOrderSteps(model, counts, order)),
    [model, counts, order],
  );
  // The rows keep their order until the new order is computed.
  const indices = useLastRun(ordering) ?? NO_ROWS;
  const rows = useMemo(() => {
    const at = (index: number) => {
      const section = indices[index];
      return section === undefined ? undefined : sectionRow(model, sectionIndex(section));
    };
    return { length: indices.length, at };
  }, [model, indices]);
  const columns = useMemo(() => sectionColumns(model, counts), [model, counts]);
  const lit = litSection(model, selection);
  return (
    <OverviewCard title="Sections" aside={countOf(sectionCount(model.sections), 'section')} isFlush>
      <SelectionTable
        label="Sections"
        rows={rows}
        columns={columns}
        most={16}
        selectedIndex={lit === null ? null : indices.indexOf(lit)}
        selectionOf={({ section }) => ({ kind: 'section', section })}
        view="bytes"
        sort={order}
        onSort={(columnId) => setOrder(nextOrder(order, columnId))}
      />
    </OverviewCard>
  );
}

/** Returns the selected section, or the section of the selected bytes. */
function litSection(model: ObjectModel, selection: Selection): SectionIndex | null {
  if (selection.kind === 'section') return selection.section;
  const span = selectionSpan(model, selection);
  return span === null ? null : sectionAt(model.sections, span.start);
}

/** Returns the columns; `counts` are relocations per section. */
function sectionColumns(model: ObjectModel, counts: Uint32Array): RowColumn<SectionRow>[] {
  const { hasFlags, hasLinks } = sectionColumnSet(model);
  const relocationCount = ({ section }: SectionRow) => {
    const count = counts[section] ?? 0;
    return count === 0 ? '' : grouped(count);
  };
  return [
    column('index', 'Nr', 56, (row) => <span className="muted">{row.section}</span>, {
      align: 'end',
    }),
    NAME,
    column('type', 'Type', hasFlags ? 110 : 190, (row) => row.typeName, { grow: 1, mono: true }),
    ...(hasFlags ? [FLAGS] : []),
    ...(hasLinks ? [] : [ADDRESS]),
    column('offset', 'Offset', 96, (row) => offsetCell(row.offset), { ...NUMBER, sortable: true }),
    column('size', 'Bytes', 96, (row) => grouped(row.size), { align: 'end', sortable: true }),
    ...(hasLinks ? LINKS : []),
    column('relocations', 'Relocations', 120, relocationCount, { align: 'end', sortable: true }),
  ];
}

const NAME: RowColumn<SectionRow> = column(
  'name',
  'Name',
  190,
  (row) => <CutName text={row.name} />,
  { grow: 2 },
);

const FLAGS: RowColumn<SectionRow> = column('flags', 'Flags', 64, (row) => row.flags, {
  heading: <Term id="sh-flags">Flags</Term>,
  mono: true,
});

const ADDRESS: RowColumn<SectionRow> = column(
  'address',
  'Address',
  130,
  (row) => offsetCell(row.address),
  NUMBER,
);

const LINKS: readonly RowColumn<SectionRow>[] = [
  column('link', 'Link', 130, (row) => reference(row.link), {
    heading: <Term id="sh-link">Link</Term>,
    grow: 1,
  }),
  column('info', 'Info', 130, (row) => reference(row.info), {
    heading: <Term id="sh-info">Info</Term>,
    grow: 1,
  }),
];

function reference(to: Reference | null) {
  if (to === null) return null;
  return (
    <>
      <span className="muted">{to.number}</span> {to.name === '' ? null : <Name text={to.name} />}
    </>
  );
}
