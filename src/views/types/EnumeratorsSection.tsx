import { useMemo } from 'react';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { type Enumerator, enumeratorsOf } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
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
  const enumerators = useMemo(() => enumeratorsOf(types, type), [types, type]);
  const columns = useMemo(
    () => columnsOf(enumerators, kindOf(types, type) === BtfKind.ENUM64 ? 64 : 32),
    [enumerators, types, type],
  );
  return (
    <DetailSection title="Enumerators" aside={countOf(enumerators.length, 'enumerator')}>
      <ItemTable
        label="Enumerators"
        columns={columns}
        count={enumerators.length}
        emptyText="None: clang writes a forward declaration of an enum like this."
      />
    </DetailSection>
  );
}

function columnsOf(enumerators: readonly Enumerator[], bits: number): TableColumn[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 160,
      grow: 1,
      mono: true,
      cell: (row) => <Name text={enumerators[row]?.name ?? ''} />,
    },
    {
      id: 'value',
      header: 'Value',
      width: 170,
      align: 'end',
      mono: true,
      cell: (row) => `${enumerators[row]?.value ?? ''}`,
    },
    {
      id: 'hex',
      header: 'Hex',
      width: 170,
      align: 'end',
      mono: true,
      cell: (row) => hexText(BigInt.asUintN(bits, enumerators[row]?.value ?? 0n)),
    },
  ];
}
