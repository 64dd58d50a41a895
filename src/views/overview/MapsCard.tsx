import { useMemo } from 'react';
import { dataSymbolsRun } from '#analysis/values/variables.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import type { FileId, ViewName } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useRun } from '#views/parts/use-run.ts';
import { useMapBytes, useSectionBytes } from '#views/parts/use-section-bytes.ts';
import { type MapRow, mapOfSelection, mapRows } from './map-rows.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { type RowColumn, rowColumns } from './row-columns.ts';

type MapsCardProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly selection: Selection;
};

/** The maps of the file, each a way to the Data view; absent when there are none. */
export function MapsCard(props: MapsCardProps) {
  const isReady = useRun(dataSymbolsRun(props.model)) !== null;
  return isReady ? <Maps {...props} /> : null;
}

function Maps({ id, model, selection }: MapsCardProps) {
  const mapBytes = useMapBytes(model, useSectionBytes(id, model));
  const rows = useMemo(() => mapRows(model, mapBytes), [model, mapBytes]);
  const columns = useMemo(() => rowColumns((index) => rows[index], COLUMNS), [rows]);
  if (rows.length === 0) return null;
  const selected = mapOfSelection(rows, selection);
  const go = (index: number, view?: ViewName) => {
    const target = rows[index]?.selection ?? null;
    if (target !== null) select(target, view);
  };
  return (
    <OverviewCard title="Maps" aside={countOf(rows.length, 'map')} isFlush>
      <div style={{ height: tableHeight(rows.length, 10) }}>
        <LinkTable
          label="Maps"
          columns={columns}
          count={rows.length}
          selectedIndex={selected < 0 ? null : selected}
          onSelect={(index) => go(index)}
          onActivate={(index) => go(index, 'data')}
        />
      </div>
    </OverviewCard>
  );
}

const text = (value: string) => (value === '' ? null : <Name text={value} />);

const COLUMNS: readonly RowColumn<MapRow>[] = [
  {
    id: 'name',
    header: 'Map',
    width: 150,
    grow: 2,
    cell: (row) => <Name text={row.name} otherwise="(no name)" />,
  },
  { id: 'type', header: 'Type', width: 160, grow: 1, cell: (row) => text(row.type) },
  { id: 'key', header: 'Key', width: 120, grow: 1, cell: (row) => text(row.key) },
  { id: 'value', header: 'Value', width: 140, grow: 1, cell: (row) => text(row.value) },
  {
    id: 'max',
    header: 'Max entries',
    width: 100,
    align: 'end',
    cell: (row) => (row.maxEntries === null ? null : grouped(row.maxEntries)),
  },
  { id: 'more', header: 'More', width: 140, grow: 1, cell: (row) => text(row.more) },
];
