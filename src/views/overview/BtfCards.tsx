import { useMemo } from 'react';
import { kindHistogram } from '#analysis/types/kind-counts.ts';
import {
  BtfIdGroupType,
  type BtfIdTable,
  btfIdGroupName,
  btfIdKind,
  btfIdName,
} from '#model/btf-ids.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { Histogram } from '#ui/Histogram.tsx';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { kindStyle } from '#views/parts/kind-style.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { nameOrNothing, OverviewCard } from './OverviewCard.tsx';

/** The ids that a kernel or module keeps in `.BTF_ids`; absent where it has none. */
export function BtfIdsCard({ model: { btfIds }, selection }: Active) {
  const columns = useMemo(() => idColumns(btfIds), [btfIds]);
  if (btfIds.count === 0) return null;
  return (
    <OverviewCard title=".BTF_ids" aside={countOf(btfIds.count, 'id')} isFlush>
      <SelectionTable
        label="Ids in .BTF_ids"
        rows={btfIds.id}
        columns={columns}
        most={10}
        selectedIndex={selection.kind === 'type' ? btfIds.id.indexOf(selection.type) : null}
        selectionOf={(id) => typeSelection(typeId(id))}
        view="types"
      />
    </OverviewCard>
  );
}

function idColumns(ids: BtfIdTable): RowColumn<number>[] {
  return [
    column('id', 'Id', 90, (id) => id, NUMBER),
    column('kind', 'Kind', 90, (_, row) => nameOrNothing(btfIdKind(ids, row))),
    column('name', 'Type', 180, (_, row) => nameOrNothing(btfIdName(ids, row)), { grow: 2 }),
    column('set', 'In', 160, (_, row) => nameOrNothing(groupText(ids, row)), { grow: 1 }),
    column('flags', 'Flags', 90, (_, row) => flagsText(ids, row), { mono: true }),
  ];
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
  return isSet8 ? hexText(ids.flags[row] ?? 0) : null;
}

/** How many types of each kind; a line leads to the first type of its kind. */
export function KindsCard({ types }: { readonly types: TypeTable }) {
  const counts = useMemo(() => kindHistogram(types), [types]);
  return (
    <OverviewCard title="Types by kind" aside={countOf(types.count, 'type')}>
      <Histogram
        label="Types by kind"
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
