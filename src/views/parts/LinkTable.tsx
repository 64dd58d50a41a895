import { useMemo, useState } from 'react';
import type { ArchiveMember } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { openMember } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns, tableHeight } from '#ui/table-columns.ts';
import { VirtualTable, type VirtualTableProps } from '#ui/VirtualTable.tsx';
import styles from './LinkTable.module.css';
import { CutName } from './Name.tsx';
import { offsetCell } from './Offset.tsx';

type LinkTableProps = VirtualTableProps & { readonly onActivate: (index: number) => void };

/** Shows a table whose rows are links. A click or Enter follows the link; arrow keys only move. */
export function LinkTable(props: LinkTableProps) {
  return (
    <div className={styles.frame}>
      <VirtualTable {...props} onRowClick={props.onActivate} />
    </div>
  );
}

type SelectionTableProps<Row> = Pick<VirtualTableProps, 'label' | 'sort' | 'onSort'> & {
  /** `rows` and `columns` must be the same objects at each render while they are unchanged. */
  readonly rows: { readonly length: number; at(index: number): Row | undefined };
  readonly columns: readonly RowColumn<Row>[];
  /** Maximum number of rows that are visible at once. */
  readonly most: number;
  /** Index of the selected row; null or negative if no row is selected. */
  readonly selectedIndex?: number | null;
  readonly selectionOf: (row: Row, index: number) => Selection | null;
  /** View that a click on a row opens. Without it, clicks and arrow keys only select. */
  readonly view?: ViewName;
  readonly className?: string | undefined;
};

/** Shows a `LinkTable` inside a page that scrolls. A click on a row makes its selection. */
export function SelectionTable<Row>(props: SelectionTableProps<Row>) {
  const {
    rows,
    columns,
    most,
    selectedIndex = null,
    selectionOf,
    view,
    className,
    ...rest
  } = props;
  const drawn = useMemo(() => rowColumns((index) => rows.at(index), columns), [rows, columns]);
  const go = (index: number, to?: ViewName) => {
    const row = rows.at(index);
    const selection = row === undefined ? null : selectionOf(row, index);
    if (selection !== null) select(selection, to);
  };
  return (
    <div className={className} style={{ height: tableHeight(rows.length, most) }}>
      <LinkTable
        {...rest}
        columns={drawn}
        count={rows.length}
        selectedIndex={selectedIndex !== null && selectedIndex >= 0 ? selectedIndex : null}
        onSelect={(index) => {
          if (view !== undefined) go(index);
        }}
        onActivate={(index) => go(index, view)}
      />
    </div>
  );
}

/** Shows the members of an archive. A row opens its member as a separate file. */
export function MemberTable(props: {
  readonly id: FileId;
  readonly label: string;
  readonly members: readonly ArchiveMember[];
}) {
  const { id, label, members } = props;
  // Row with the keyboard focus, which is not the selection in the file.
  const [row, setRow] = useState<number | null>(null);
  const columns = useMemo(() => rowColumns((index) => members[index], COLUMNS), [members]);
  return (
    <LinkTable
      label={label}
      columns={columns}
      count={members.length}
      selectedIndex={row}
      onSelect={setRow}
      onActivate={(index) => {
        const member = members[index];
        if (member !== undefined) void openMember(id, member);
      }}
    />
  );
}

const COLUMNS: readonly RowColumn<ArchiveMember>[] = [
  column('name', 'Member', 140, ({ name }) => <CutName text={name} />, {
    grow: 1,
  }),
  column('kind', 'Kind', 110, ({ kind }) => (kind === 'other' ? null : kind)),
  column('offset', 'Offset', 92, ({ fileOffset }) => offsetCell(fileOffset), NUMBER),
  column('size', 'Bytes', 92, ({ size }) => grouped(size), { align: 'end' }),
];
