import { useMemo, useState } from 'react';
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { Run, type Steps, sortSteps } from '#bytes/long-work.ts';
import { sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionCount, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import type { Active } from '#store/session/hooks.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import type { SortOrder } from '#ui/table-settings.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { CutName, Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { Term } from '#views/parts/Term.tsx';
import { useLastRun } from '#views/parts/WhenReady.tsx';
import { OverviewCard } from './OverviewCard.tsx';

const NO_ROWS = new Uint32Array(0);

/** Shows the sections as `llvm-readelf -S`, and how many relocations patch each of them. */
export function SectionsCard({ model, selection }: Active) {
  const [order, setOrder] = useState<SortOrder | null>(null);
  const counts = useMemo(() => relocationCounts(model), [model]);
  const ordering = useMemo(
    () => new Run(sectionOrderSteps(model, counts, order)),
    [model, counts, order],
  );
  // Show the rows in their old order until the new order is computed.
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

/** Returns the selected section, or the section that contains the selected bytes. */
function litSection(model: ObjectModel, selection: Selection): SectionIndex | null {
  if (selection.kind === 'section') return selection.section;
  const span = selectionSpan(model, selection);
  return span === null ? null : sectionAt(model.sections, span.start);
}

/** Returns the columns of the table. `counts` has the number of relocations per section. */
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

/** Number in a section header that refers to another section or to a symbol. */
type Reference = {
  readonly number: number;
  /** Name of the section or symbol, not escaped; empty if the number refers to none. */
  readonly name: string;
};

type SectionRow = ReturnType<typeof sectionRow>;

const SHF_INFO_LINK = 0x40n;

/** Returns the header of a section as a table row. The numbers are not checked. */
export function sectionRow(model: ObjectModel, section: SectionIndex) {
  const { sections } = model;
  const { type, flags } = sectionTypeText(model, section);
  return {
    section,
    name: sectionName(sections, section),
    typeName: type,
    flags,
    /** Address at which the section is loaded; 0 in ELF objects. */
    address: sections.addr[section] ?? 0n,
    offset: sections.declaredOffset[section] ?? 0n,
    /** Size in the header, also of sections that have no bytes in the file. */
    size: sections.declaredSize[section] ?? 0n,
    link: sectionReference(model, sections.link[section] ?? 0),
    info: infoReference(model, section),
  };
}

function sectionReference(model: ObjectModel, number: number): Reference | null {
  return number === 0 ? null : { number, name: sectionName(model.sections, sectionIndex(number)) };
}

/** Returns the target of `sh_info` (System V gABI, "Sections", sh_link and sh_info). */
function infoReference(model: ObjectModel, section: SectionIndex): Reference | null {
  const { sections, symbols } = model;
  const number = sections.info[section] ?? 0;
  if (number === 0) return null;
  const typeName = sectionTypeName(sections.type[section] ?? 0, model.machine?.number ?? 0);
  if (typeName === 'REL' || typeName === 'RELA') return sectionReference(model, number);
  if (((sections.flags[section] ?? 0n) & SHF_INFO_LINK) !== 0n) {
    return sectionReference(model, number);
  }
  if (typeName === 'GROUP') {
    const table = sections.link[section] ?? 0;
    for (let i = 0; i < symbols.count; i++) {
      if (symbols.table[i] === table && symbols.indexInTable[i] === number) {
        return { number, name: symbolName(symbols, symbolIndex(i)) };
      }
    }
  }
  return { number, name: '' };
}

/** Computes the section indexes sorted by a column. */
export function* sectionOrderSteps(
  model: ObjectModel,
  counts: Uint32Array,
  order: SortOrder | null,
): Steps<Uint32Array> {
  const count = sectionCount(model.sections);
  const first = model.sections.count - count;
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = first + i;
  const compare = order === null ? null : comparison(model, counts, order.columnId);
  if (order === null || compare === null) return indices;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return yield* sortSteps(indices, (a, b) => sign * compare(a, b));
}

function comparison(
  { sections }: ObjectModel,
  counts: Uint32Array,
  columnId: string,
): ((a: number, b: number) => number) | null {
  const values = new Map<string, BigUint64Array | Uint32Array>([
    ['offset', sections.declaredOffset],
    ['size', sections.declaredSize],
    ['relocations', counts],
  ]).get(columnId);
  if (values === undefined) return null;
  return (a, b) => {
    const [x, y] = [values[a] ?? 0, values[b] ?? 0];
    return x < y ? -1 : Number(x > y);
  };
}

/** Returns the next order after a click on a header: descending, ascending, then file order. */
export function nextOrder(order: SortOrder | null, columnId: string): SortOrder | null {
  if (order?.columnId !== columnId) return { columnId, direction: 'descending' };
  return order.direction === 'descending' ? { columnId, direction: 'ascending' } : null;
}

/** Returns the columns of a format. Formats whose sections have no links show addresses instead. */
function sectionColumnSet({ sections, format }: ObjectModel) {
  const isElf = format === 'elf';
  return { hasFlags: isElf, hasLinks: isElf || sections.link.some((link) => link !== 0) };
}
