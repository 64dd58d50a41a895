import { grouped } from '#ui/grouped.ts';
import { Name } from '#views/parts/Name.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import type { RowColumn } from './row-columns.ts';
import styles from './section-columns.module.css';
import type { Reference, SectionColumnSet, SectionRow } from './section-rows.ts';

/** The columns of the table of sections; `counts` = relocations on each section. */
export function sectionColumns(
  counts: Uint32Array,
  { hasFlags, hasLinks }: SectionColumnSet,
): RowColumn<SectionRow>[] {
  return [
    {
      id: 'index',
      header: 'Nr',
      width: 56,
      align: 'end',
      cell: (row) => <span className={styles.quiet}>{row.section}</span>,
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
      <span className={styles.quiet}>{to.number}</span>{' '}
      {to.name === '' ? null : <Name text={to.name} />}
    </>
  );
}
