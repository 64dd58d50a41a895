import { useMemo, useRef, useState } from 'react';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { enumeratorAt, type Param, paramsOf, varSecinfoAt } from '#model/type-items.ts';
import {
  kindOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { DENSE_ROW_HEIGHT, type TableColumn, tableHeight } from '#ui/table-columns.ts';
import { useRowInSight } from '#ui/use-row-in-sight.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { DetailSection } from './DetailSection.tsx';
import styles from './ItemTable.module.css';
import { linkageWord } from './type-facts.ts';

/** A type of a table. */
export type OfType = { readonly types: TypeTable; readonly type: TypeId };

/** Names and values of an enum. */
export function EnumeratorsSection({ types, type }: OfType) {
  const columns = useMemo(() => columnsOf(types, type), [types, type]);
  const count = vlenOf(types, type);
  return (
    <DetailSection title="Enumerators" aside={countOf(count, 'enumerator')}>
      <ItemTable
        label="Enumerators"
        columns={columns}
        count={count}
        emptyText="None: clang emits forward declarations of enums like this."
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

type ParamsSectionProps = {
  readonly types: TypeTable;
  readonly proto: TypeId;
};

/** What a function takes, in order, and what it returns. */
export function ParamsSection({ types, proto }: ParamsSectionProps) {
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
        emptyText="No parameters."
        onActivate={(row) => {
          const type = params[row]?.type ?? 0;
          if (type !== 0) select(typeSelection(type));
        }}
      />
    </DetailSection>
  );
}

/** The prototype that tells the parameters of a FUNC or FUNC_PROTO; null for other kinds. */
export function protoOf(types: TypeTable, id: TypeId): TypeId | null {
  const kind = kindOf(types, id);
  if (kind === BtfKind.FUNC_PROTO) return id;
  const target = kind === BtfKind.FUNC ? (refOf(types, id) ?? VOID) : VOID;
  return kindOf(types, target) === BtfKind.FUNC_PROTO ? target : null;
}

/** Is this the `…` of variable arguments: the last parameter, without name and type? */
function isEllipsis(params: readonly Param[], index: number): boolean {
  const param = params[index];
  return index === params.length - 1 && param?.type === VOID && param.name === '';
}

const MOST_ROWS = 16;

type ItemTableProps = {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly count: number;
  readonly emptyText: string;
  readonly onActivate?: (index: number) => void;
};

/** A table of items that cannot be selected: its marked row is where the keys are, and nothing more. */
function ItemTable({ label, columns, count, emptyText, onActivate }: ItemTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  useRowInSight(frame, cursor);
  if (count === 0) return <p className="muted">{emptyText}</p>;
  return (
    <div
      ref={frame}
      className={styles.frame}
      style={{ height: tableHeight(count, MOST_ROWS, DENSE_ROW_HEIGHT) + 2 }}
    >
      <VirtualTable
        label={label}
        columns={columns}
        count={count}
        rowHeight={DENSE_ROW_HEIGHT}
        selectedIndex={cursor}
        onSelect={setCursor}
        {...(onActivate === undefined ? {} : { onActivate })}
      />
    </div>
  );
}

/** The variables of a section, as stored. */
export function VariablesSection({ types, type }: OfType) {
  const count = vlenOf(types, type);
  const columns = useMemo(() => variableColumns(types, type), [types, type]);
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
        emptyText="No variables."
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

function variableColumns(types: TypeTable, type: TypeId): TableColumn[] {
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
