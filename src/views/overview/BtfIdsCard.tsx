import { useMemo } from 'react';
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
import { select } from '#store/navigation.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { type RowColumn, rowColumns } from './row-columns.ts';

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
