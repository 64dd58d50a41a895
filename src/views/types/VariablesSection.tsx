import { useMemo } from 'react';
import { type TypeId, VOID } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { refOf, sizeOrTypeOf, type TypeTable, varLinkage } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { DetailSection } from './DetailSection.tsx';
import { ItemTable } from './ItemTable.tsx';
import { linkageWord } from './type-facts.ts';

/** The variables of a section, as stored. */
export function VariablesSection({
  types,
  type,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  const items = useMemo(() => varSecinfosOf(types, type), [types, type]);
  const columns = useMemo(() => columnsOf(types, items), [types, items]);
  const isUnset = sizeOrTypeOf(types, type) === 0 && items.every(({ offset }) => offset === 0);
  return (
    <DetailSection title="Variables" aside={countOf(items.length, 'variable')}>
      {isUnset && items.length > 0 ? (
        <Callout severity="note" title="Offsets and the section's size are stored as 0">
          The compiler leaves them open. The loader fills them in from the symbol table and the
          section header before the kernel sees this BTF.
        </Callout>
      ) : null}
      <ItemTable
        label="Variables"
        columns={columns}
        count={items.length}
        emptyText="It has no variables."
        onActivate={(row) => {
          const item = items[row];
          if (item !== undefined && item.type !== 0) select(typeSelection(item.type));
        }}
      />
    </DetailSection>
  );
}

function columnsOf(types: TypeTable, items: readonly VarSecinfo[]): TableColumn[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 160,
      grow: 2,
      cell: (row) => {
        const item = items[row];
        return item === undefined ? null : <TypeLink types={types} type={item.type} badge />;
      },
    },
    {
      id: 'type',
      header: 'Type',
      width: 160,
      grow: 2,
      cell: (row) => {
        const type = refOf(types, items[row]?.type ?? VOID);
        return type === null ? null : <TypeLink types={types} type={type} />;
      },
    },
    {
      id: 'linkage',
      header: 'Linkage',
      width: 80,
      cell: (row) => linkageWord(varLinkage(types, items[row]?.type ?? VOID)),
    },
    {
      id: 'offset',
      header: 'Offset',
      width: 80,
      align: 'end',
      mono: true,
      cell: (row) => hexText(items[row]?.offset ?? 0),
    },
    {
      id: 'size',
      header: 'Size',
      width: 80,
      align: 'end',
      mono: true,
      cell: (row) => grouped(items[row]?.size ?? 0),
    },
  ];
}
