import { useMemo } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import type { ViewName } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { OverviewCard } from './OverviewCard.tsx';
import { type ProgramRow, programOf, programRows } from './program-rows.ts';
import { type RowColumn, rowColumns } from './row-columns.ts';
import { tableHeight } from './table-height.ts';

/** The programs of the file and what libbpf makes of their sections; absent when there is no code. */
export function ProgramsCard({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const rows = useMemo(() => programRows(model), [model]);
  const columns = useMemo(() => rowColumns((index) => rows[index], COLUMNS), [rows]);
  if (rows.length === 0) return null;
  const selected = programOf(rows, model, selection);
  const go = (index: number, view?: ViewName) => {
    const row = rows[index];
    if (row !== undefined) showProgram(row, view);
  };
  return (
    <OverviewCard title="Programs" aside={countsText(rows)} isFlush>
      <div style={{ height: tableHeight(rows.length, 10) }}>
        <LinkTable
          label="Programs"
          columns={columns}
          count={rows.length}
          selectedIndex={selected < 0 ? null : selected}
          onSelect={(index) => go(index)}
          onActivate={(index) => go(index, 'code')}
        />
      </div>
    </OverviewCard>
  );
}

function countsText(rows: readonly ProgramRow[]): string {
  const programs = rows.filter(({ func }) => func.isProgram).length;
  const rest = rows.length - programs;
  return rest === 0
    ? countOf(programs, 'program')
    : `${countOf(programs, 'program')}, ${countOf(rest, 'subprogram')}`;
}

function showProgram({ func }: ProgramRow, view?: ViewName) {
  select({ kind: 'insn', section: func.section, insnOff: func.start }, view);
}

const COLUMNS: readonly RowColumn<ProgramRow>[] = [
  {
    id: 'function',
    header: 'Function',
    width: 180,
    grow: 2,
    cell: (row) => <Name text={row.func.name} otherwise="(no name)" />,
  },
  {
    id: 'section',
    header: 'Section',
    width: 150,
    grow: 2,
    cell: (row) => <Name text={row.sectionName} otherwise="(no name)" />,
  },
  {
    id: 'kind',
    header: 'Program type',
    heading: <Term id="program-section">Program type</Term>,
    width: 130,
    cell: programKind,
  },
  {
    id: 'attach',
    header: 'Attaches to',
    width: 130,
    grow: 2,
    cell: (row) => (row.attachTo === '' ? null : <Name text={row.attachTo} />),
  },
  {
    id: 'insns',
    header: 'Slots',
    heading: <Term id="insn">Slots</Term>,
    width: 76,
    align: 'end',
    cell: (row) => grouped(row.insnCount),
  },
  {
    id: 'core',
    header: 'CO-RE',
    heading: <Term id="core">CO-RE</Term>,
    width: 76,
    align: 'end',
    cell: (row) => (row.coreCount === 0 ? '' : grouped(row.coreCount)),
  },
];

function programKind(row: ProgramRow) {
  if (row.kind !== '') return row.kind;
  return row.func.isProgram ? 'unknown' : 'subprogram';
}
