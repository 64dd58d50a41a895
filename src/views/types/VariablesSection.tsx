import { useMemo } from 'react';
import { type TypeId, VOID } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { varSecinfoAt } from '#model/type-items.ts';
import { refOf, sizeOrTypeOf, type TypeTable, varLinkage, vlenOf } from '#model/type-table.ts';
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
  const count = vlenOf(types, type);
  const columns = useMemo(() => columnsOf(types, type), [types, type]);
  const isUnset = useMemo(() => hasNoOffsets(types, type), [types, type]);
  return (
    <DetailSection title="Variables" aside={countOf(count, 'variable')}>
      {isUnset && count > 0 ? (
        <Callout severity="note" title="Offsets and the section's size are stored as 0">
          The compiler leaves them open. The loader fills them in from the symbol table and the
          section header before the kernel sees this BTF.
        </Callout>
      ) : null}
      <ItemTable
        label="Variables"
        columns={columns}
        count={count}
        emptyText="It has no variables."
        onActivate={(row) => {
          const item = varSecinfoAt(types, type, row);
          if (item !== null && item.type !== 0) select(typeSelection(item.type));
        }}
      />
    </DetailSection>
  );
}

function hasNoOffsets(types: TypeTable, type: TypeId): boolean {
  if (sizeOrTypeOf(types, type) !== 0) return false;
  for (let i = 0; i < vlenOf(types, type); i++) {
    if (varSecinfoAt(types, type, i)?.offset !== 0) return false;
  }
  return true;
}

function columnsOf(types: TypeTable, type: TypeId): TableColumn[] {
  const at = (row: number) => varSecinfoAt(types, type, row);
  return [
    {
      id: 'name',
      header: 'Name',
      width: 160,
      grow: 2,
      cell: (row) => {
        const item = at(row);
        return item === null ? null : <TypeLink types={types} type={item.type} badge />;
      },
    },
    {
      id: 'type',
      header: 'Type',
      width: 160,
      grow: 2,
      cell: (row) => {
        const of = refOf(types, at(row)?.type ?? VOID);
        return of === null ? null : <TypeLink types={types} type={of} />;
      },
    },
    {
      id: 'linkage',
      header: 'Linkage',
      width: 80,
      cell: (row) => linkageWord(varLinkage(types, at(row)?.type ?? VOID)),
    },
    {
      id: 'offset',
      header: 'Offset',
      width: 80,
      align: 'end',
      mono: true,
      cell: (row) => hexText(at(row)?.offset ?? 0),
    },
    {
      id: 'size',
      header: 'Size',
      width: 80,
      align: 'end',
      mono: true,
      cell: (row) => grouped(at(row)?.size ?? 0),
    },
  ];
}
