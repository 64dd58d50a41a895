import { useMemo, useRef, useState } from 'react';
import { hexText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import {
  type Enumerator,
  enumeratorAt,
  type Param,
  paramsOf,
  type VarSecinfo,
  varSecinfoAt,
} from '#model/type-items.ts';
import {
  kindOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { useRowInSight } from '#ui/list-keys.ts';
import {
  column,
  DENSE_ROW_HEIGHT,
  NUMBER,
  rowColumns,
  type TableColumn,
  tableHeight,
} from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './ItemTable.module.css';
import { linkageWord } from './type-facts.ts';

export type OfType = { readonly types: TypeTable; readonly type: TypeId };

/** Shows the names and values of an enum. */
export function EnumeratorsSection({ types, type }: OfType) {
  const columns = useMemo(() => enumeratorColumns(types, type), [types, type]);
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

function enumeratorColumns(types: TypeTable, type: TypeId): TableColumn[] {
  const bits = kindOf(types, type) === BtfKind.ENUM64 ? 64 : 32;
  return rowColumns<Enumerator>(
    (row) => enumeratorAt(types, type, row),
    [
      column('name', 'Name', 160, ({ name }) => <Name text={name} />, { grow: 1, mono: true }),
      column('value', 'Value', 170, ({ value }) => `${value}`, NUMBER),
      column('hex', 'Hex', 170, ({ value }) => hexText(BigInt.asUintN(bits, value)), NUMBER),
    ],
  );
}

/** Shows the parameters of a function in order, and its return type. */
export function ParamsSection({ types, type: proto }: OfType) {
  const params = useMemo(() => paramsOf(types, proto), [types, proto]);
  const returns = refOf(types, proto);
  const columns = useMemo(() => parameterColumns(types, params), [types, params]);
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

function parameterColumns(types: TypeTable, params: readonly Param[]): TableColumn[] {
  return rowColumns<Param>(
    (row) => params[row],
    [
      column('index', '#', 48, (_, row) => row, NUMBER),
      column(
        'name',
        'Name',
        140,
        ({ name }, row) => (isEllipsis(params, row) ? '…' : <Name text={name} />),
        { grow: 1, mono: true },
      ),
      column(
        'type',
        'Type',
        200,
        ({ type }, row) =>
          isEllipsis(params, row) ? (
            'variable arguments'
          ) : (
            <TypeLink types={types} type={type} badge />
          ),
        { grow: 2 },
      ),
    ],
  );
}

/** Returns the prototype of a FUNC or FUNC_PROTO; null for other kinds. */
export function protoOf(types: TypeTable, id: TypeId): TypeId | null {
  const kind = kindOf(types, id);
  if (kind === BtfKind.FUNC_PROTO) return id;
  const target = kind === BtfKind.FUNC ? (refOf(types, id) ?? VOID) : VOID;
  return kindOf(types, target) === BtfKind.FUNC_PROTO ? target : null;
}

/** Returns true for the parameter `…` of a variadic function: it is last, unnamed, and void. */
function isEllipsis(params: readonly Param[], index: number): boolean {
  const param = params[index];
  return index === params.length - 1 && param?.type === VOID && param.name === '';
}

type ItemTableProps = {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly count: number;
  readonly emptyText: string;
  readonly onActivate?: (index: number) => void;
};

/** Shows a table of items that cannot be selected. The marked row is the keyboard's position. */
export function ItemTable({ label, columns, count, emptyText, onActivate }: ItemTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  useRowInSight(frame, cursor);
  if (count === 0) return <p className="muted">{emptyText}</p>;
  return (
    <div
      ref={frame}
      className={styles.frame}
      style={{ height: tableHeight(count, count, DENSE_ROW_HEIGHT) + 2 }}
    >
      <VirtualTable
        label={label}
        isWhole
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

/** Shows the variables of a section, in the order of the file. */
export function VariablesSection({ types, type }: OfType) {
  const count = vlenOf(types, type);
  const columns = useMemo(() => variableColumns(types, type), [types, type]);
  const isUnset = useMemo(() => hasNoOffsets(types, type), [types, type]);
  return (
    <DetailSection title="Variables" aside={countOf(count, 'variable')}>
      {isUnset && count > 0 ? (
        <Callout severity="note" title="Offsets and the section's size are stored as 0">
          libbpf fills them in from the symbol table and the section header before it loads this
          BTF.
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
  return rowColumns<VarSecinfo>(
    (row) => varSecinfoAt(types, type, row),
    [
      column('name', 'Name', 160, (item) => <TypeLink types={types} type={item.type} badge />, {
        grow: 2,
      }),
      column('type', 'Type', 160, (item) => <TypeOfVariable types={types} type={item.type} />, {
        grow: 2,
      }),
      column('linkage', 'Linkage', 80, (item) => linkageWord(varLinkage(types, item.type))),
      column('offset', 'Offset', 80, ({ offset }) => offsetCell(offset), NUMBER),
      column('size', 'Size', 80, ({ size }) => grouped(size), NUMBER),
    ],
  );
}

function TypeOfVariable({ types, type }: OfType) {
  const of = refOf(types, type);
  return of === null ? null : <TypeLink types={types} type={of} />;
}
