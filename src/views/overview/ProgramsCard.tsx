import { useMemo } from 'react';
import { type ProgramRow, ProgramRows } from '#analysis/code/programs.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import type { ViewName } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { type RowColumn, rowColumns } from './FileMap.tsx';
import { OverviewCard } from './OverviewCard.tsx';

/** The programs of the file and what libbpf makes of their sections; absent when there is no code. */
export function ProgramsCard({
  model,
  functions,
  selection,
}: {
  readonly model: ObjectModel;
  /** null while they are looked for. */
  readonly functions: readonly FunctionRange[] | null;
  readonly selection: Selection;
}) {
  const rows = useMemo(
    () => (functions === null ? null : new ProgramRows(model)),
    [model, functions],
  );
  const columns = useMemo(() => rowColumns((index) => rows?.at(index), COLUMNS), [rows]);
  if (rows === null) {
    return isBpf(model) ? (
      <OverviewCard title="Programs" about="Going through the code…">
        {null}
      </OverviewCard>
    ) : null;
  }
  if (rows.length === 0) return null;
  const go = (index: number, view?: ViewName) => {
    const row = rows.at(index);
    if (row !== undefined) showProgram(row, view);
  };
  return (
    <OverviewCard title="Programs" aside={countsText(rows)} isFlush>
      <div style={{ height: tableHeight(rows.length, 10) }}>
        <LinkTable
          label="Programs"
          columns={columns}
          count={rows.length}
          selectedIndex={rows.rowOf(selection)}
          onSelect={(index) => go(index)}
          onActivate={(index) => go(index, 'code')}
        />
      </div>
    </OverviewCard>
  );
}

function countsText({ length, programCount }: ProgramRows): string {
  const rest = length - programCount;
  return rest === 0
    ? countOf(programCount, 'program')
    : `${countOf(programCount, 'program')}, ${countOf(rest, 'subprogram')}`;
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
