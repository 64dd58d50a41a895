import { useMemo } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import type { ViewName } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { type MapRow, mapRows, selectionOfMap } from './map-rows.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { type RowColumn, rowColumns } from './row-columns.ts';
import { tableHeight } from './table-height.ts';

/** The maps that the file defines; absent when it defines none. */
export function MapsCard({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const rows = useMemo(() => mapRows(model), [model]);
  const columns = useMemo(() => rowColumns((index) => rows[index], COLUMNS), [rows]);
  if (rows.length === 0) return null;
  const selected = rows.findIndex((row) => {
    const target = selectionOfMap(row);
    return target !== null && sameSelection(target, selection);
  });
  const go = (index: number, view?: ViewName) => {
    const row = rows[index];
    if (row !== undefined) showMap(row, view);
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
          onActivate={(index) => go(index, 'bytes')}
        />
      </div>
    </OverviewCard>
  );
}

function showMap(row: MapRow, view?: ViewName) {
  const target = selectionOfMap(row);
  if (target !== null) select(target, view);
}

const text = (value: string) => (value === '' ? null : <Name text={value} />);

/** Definitions are texts; those that are plain numbers are grouped like all others. */
const number = (value: string) => (/^\d+$/.test(value) ? grouped(BigInt(value)) : text(value));

const COLUMNS: readonly RowColumn<MapRow>[] = [
  {
    id: 'name',
    header: 'Map',
    width: 150,
    grow: 2,
    cell: (row) => <Name text={row.map.name} otherwise="(no name)" />,
  },
  { id: 'type', header: 'Type', width: 160, grow: 1, cell: (row) => text(row.type) },
  { id: 'key', header: 'Key', width: 120, grow: 1, cell: (row) => text(row.key) },
  { id: 'value', header: 'Value', width: 140, grow: 1, cell: (row) => text(row.value) },
  {
    id: 'max',
    header: 'Max entries',
    width: 100,
    align: 'end',
    cell: (row) => number(row.maxEntries),
  },
  { id: 'more', header: 'More', width: 140, grow: 1, cell: (row) => text(row.more) },
];
