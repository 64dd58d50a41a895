import { useMemo } from 'react';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { paramsOf } from '#model/type-items.ts';
import { refOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { DetailSection } from './DetailSection.tsx';
import { ItemTable } from './ItemTable.tsx';
import { isEllipsis } from './params.ts';

/** What a function takes, in order, and what it returns. */
export function ParamsSection({
  types,
  proto,
}: {
  readonly types: TypeTable;
  readonly proto: TypeId;
}) {
  const params = useMemo(() => paramsOf(types, proto), [types, proto]);
  const returns = refOf(types, proto);
  const columns = useMemo(
    (): TableColumn[] => [
      { id: 'index', header: '#', width: 48, align: 'end', mono: true, cell: (row) => row },
      {
        id: 'name',
        header: 'Name',
        width: 140,
        grow: 1,
        mono: true,
        cell: (row) => (isEllipsis(params, row) ? '…' : <Name text={params[row]?.name ?? ''} />),
      },
      {
        id: 'type',
        header: 'Type',
        width: 200,
        grow: 2,
        cell: (row) => {
          const type = params[row]?.type;
          if (type === undefined) return null;
          return isEllipsis(params, row) ? (
            'variable arguments'
          ) : (
            <TypeLink types={types} type={type} badge />
          );
        },
      },
    ],
    [params, types],
  );
  return (
    <DetailSection
      title="Parameters"
      aside={
        <>
          {countOf(params.length, 'parameter')}
          {returns === null ? null : (
            <>
              , returns <TypeLink types={types} type={returns} />
            </>
          )}
        </>
      }
    >
      <ItemTable
        label="Parameters"
        columns={columns}
        count={params.length}
        emptyText="It takes nothing."
        onActivate={(row) => {
          const type = params[row]?.type ?? 0;
          if (type !== 0) select(typeSelection(type));
        }}
      />
    </DetailSection>
  );
}
