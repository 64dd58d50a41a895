import { useMemo } from 'react';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorAt } from '#model/type-items.ts';
import { kindOf, type TypeTable, vlenOf } from '#model/type-table.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { DetailSection } from './DetailSection.tsx';
import { ItemTable } from './ItemTable.tsx';

/** Names and values of an enum. */
export function EnumeratorsSection({
  types,
  type,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  const columns = useMemo(() => columnsOf(types, type), [types, type]);
  const count = vlenOf(types, type);
  return (
    <DetailSection title="Enumerators" aside={countOf(count, 'enumerator')}>
      <ItemTable
        label="Enumerators"
        columns={columns}
        count={count}
        emptyText="None: clang writes a forward declaration of an enum like this."
      />
    </DetailSection>
  );
}

function columnsOf(types: TypeTable, type: TypeId): TableColumn[] {
  const bits = kindOf(types, type) === BtfKind.ENUM64 ? 64 : 32;
  const at = (row: number) => enumeratorAt(types, type, row);
  return [
    {
      id: 'name',
      header: 'Name',
      width: 160,
      grow: 1,
      mono: true,
      cell: (row) => <Name text={at(row)?.name ?? ''} />,
    },
    {
      id: 'value',
      header: 'Value',
      width: 170,
      align: 'end',
      mono: true,
      cell: (row) => `${at(row)?.value ?? ''}`,
    },
    {
      id: 'hex',
      header: 'Hex',
      width: 170,
      align: 'end',
      mono: true,
      cell: (row) => hexText(BigInt.asUintN(bits, at(row)?.value ?? 0n)),
    },
  ];
}
