import { useMemo } from 'react';
import { kindHistogram } from '#analysis/types/kind-counts.ts';
import { dataSymbolsRun } from '#analysis/values/variables.ts';
import {
  BtfIdGroupType,
  type BtfIdTable,
  btfIdGroupName,
  btfIdKind,
  btfIdName,
} from '#model/btf-ids.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { FileId, ViewName } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { Histogram } from '#ui/Histogram.tsx';
import { tableHeight } from '#ui/table-columns.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { kindStyle } from '#views/parts/kind-style.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useRun } from '#views/parts/use-run.ts';
import { useMapBytes, useSectionBytes } from '#views/parts/use-section-bytes.ts';
import { type RowColumn, rowColumns } from './FileMap.tsx';
import { type MapRow, mapOfSelection, mapRows } from './map-rows.ts';
import { OverviewCard } from './OverviewCard.tsx';

/** The ids that a kernel or module keeps in `.BTF_ids`; absent where it has none. */
export function BtfIdsCard({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const { btfIds } = model;
  const columns = useMemo(() => columnsOf(btfIds), [btfIds]);
  if (btfIds.count === 0) return null;
  const selected = selection.kind === 'type' ? btfIds.id.indexOf(selection.type) : -1;
  const go = (index: number, view?: 'types') =>
    select(typeSelection(typeId(btfIds.id[index] ?? 0)), view);
  return (
    <OverviewCard title=".BTF_ids" aside={countOf(btfIds.count, 'id')} isFlush>
      <div style={{ height: tableHeight(btfIds.count, 10) }}>
        <LinkTable
          label="Ids in .BTF_ids"
          columns={columns}
          count={btfIds.count}
          selectedIndex={selected < 0 ? null : selected}
          onSelect={(index) => go(index)}
          onActivate={(index) => go(index, 'types')}
        />
      </div>
    </OverviewCard>
  );
}

function columnsOf(ids: BtfIdTable) {
  const text = (value: string) => (value === '' ? null : <Name text={value} />);
  const columns: readonly RowColumn<number>[] = [
    {
      id: 'id',
      header: 'Id',
      width: 90,
      align: 'end',
      mono: true,
      cell: (row) => ids.id[row] ?? 0,
    },
    { id: 'kind', header: 'Kind', width: 90, cell: (row) => text(btfIdKind(ids, row)) },
    { id: 'name', header: 'Type', width: 180, grow: 2, cell: (row) => text(btfIdName(ids, row)) },
    { id: 'set', header: 'In', width: 160, grow: 1, cell: (row) => text(groupText(ids, row)) },
    { id: 'flags', header: 'Flags', width: 90, mono: true, cell: (row) => flagsText(ids, row) },
  ];
  return rowColumns((index) => (index < ids.count ? index : undefined), columns);
}

const GROUP_WORDS = new Map<number, string>([
  [BtfIdGroupType.list, 'list'],
  [BtfIdGroupType.set, 'set'],
  [BtfIdGroupType.set8, 'set8'],
]);

function groupText(ids: BtfIdTable, row: number): string {
  const word = GROUP_WORDS.get(ids.groups.type[ids.group[row] ?? -1] ?? -1) ?? '';
  return [word, btfIdGroupName(ids, row)].filter((part) => part !== '').join(' ');
}

/** Only a set8 has flags beside its ids. */
function flagsText(ids: BtfIdTable, row: number): string | null {
  const isSet8 = ids.groups.type[ids.group[row] ?? -1] === BtfIdGroupType.set8;
  return isSet8 ? `0x${(ids.flags[row] ?? 0).toString(16)}` : null;
}

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
