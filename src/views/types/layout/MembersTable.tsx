import { type ReactNode, useMemo, useRef } from 'react';
import {
  type MemberPage,
  type MemberRow,
  memberNear,
  pathKey,
  rowOfPath,
} from '#analysis/layout/member-rows.ts';
import { BASE_CLASS } from '#analysis/source/type-text.ts';
import { visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Pin } from '#store/session/pins.ts';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { useElementWidth } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import {
  column,
  DENSE_ROW_HEIGHT,
  NUMBER,
  rowColumns,
  type TableColumn,
  TWO_LINE_ROW_HEIGHT,
} from '#ui/table-columns.ts';
import { type SortOrder, setTable, useTableSettings } from '#ui/table-settings.ts';
import { VirtualTable, type VirtualTableProps } from '#ui/VirtualTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { PinMarks } from '#views/parts/PinMark.tsx';
import { gapText } from '#views/parts/StructStrip.tsx';
import { TreeCell, TreeLine } from '#views/parts/TreeCell.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './MemberCell.module.css';
import { type MemberPins, NO_PINS } from './use-members.ts';

type ColumnOptions = {
  readonly pins?: MemberPins;
  /** `menu` is shown in the row `selected`: after the name, or in a narrow table after the type. */
  readonly copy?: { readonly selected: MemberRow | null; readonly menu: ReactNode };
  readonly room?: MembersRoom;
  /** True to show a badge of its kind at each type. */
  readonly hasKinds?: boolean;
  /** Name of the type that has the members, for the header. */
  readonly owner?: string;
};

/** Returns the columns of the members' table. `toggle` folds or unfolds the member with a path. */
export function memberColumns(
  types: TypeTable,
  rows: readonly MemberRow[],
  toggle: (path: readonly number[]) => void,
  { pins = NO_PINS, copy, room = 'wide', hasKinds = true, owner }: ColumnOptions = {},
): TableColumn[] {
  const place = (id: string, header: string, width: number, text: (row: MemberRow) => ReactNode) =>
    column(
      id,
      header,
      width,
      (row: MemberRow) =>
        row.kind === 'member' ? text(row) : <span className={styles.gap}>{text(row)}</span>,
      NUMBER,
    );
  // The header stays in sight over the members, and with it the name of their type.
  const heading =
    owner === undefined
      ? {}
      : {
          heading: (
            <>
              Member{' '}
              <span className="muted">
                of <Name text={owner} />
              </span>
            </>
          ),
        };
  const menu = (row: MemberRow) => (row === copy?.selected ? copy.menu : null);
  const name = (row: MemberRow) => {
    const rowPins = row.kind === 'member' ? pins.get(pathKey(row.path)) : undefined;
    return (
      <MemberCell row={row} toggle={toggle} pins={rowPins ?? []}>
        {room === 'wide' ? menu(row) : null}
      </MemberCell>
    );
  };
  const type = (row: MemberRow) => {
    if (row.kind !== 'member') return null;
    const link = (
      <span className="shrink small clip">
        <TypeLink types={types} type={row.type} badge={hasKinds} />
      </span>
    );
    if (room === 'wide') return link;
    const withMenu = (
      <span className="row shrink">
        {link}
        {menu(row)}
      </span>
    );
    return room === 'tight' ? withMenu : <TreeLine depth={row.depth}>{withMenu}</TreeLine>;
  };
  const byteOf = ({ bitOffset }: MemberRow) => Math.floor(bitOffset / 8);
  const columns =
    room === 'wide'
      ? [
          column('name', 'Member', 170, name, { grow: 3, ...heading }),
          column('type', 'Type', 150, type, { grow: 3 }),
          place('hex', 'Offset', 76, (row) => offsetCell(byteOf(row))),
          place('byte', 'Byte', 70, (row) => grouped(byteOf(row))),
          place('bit', 'Bit', 76, (row) => grouped(row.bitOffset)),
          place('size', 'Size', 80, sizeText),
        ]
      : [
          column('name', 'Member', 104, name, { grow: 3, ...heading }),
          column('type', 'Type', 74, type, { grow: 3, isBelow: room === 'narrow' }),
          place('hex', 'Offset', 78, (row) => (
            <>
              {offsetCell(byteOf(row))}
              {row.bitOffset % 8 === 0 && !isBits(row) ? null : `:${row.bitOffset % 8}`}
            </>
          )),
          place('size', 'Size', 72, sizeText),
        ];
  return rowColumns<MemberRow>((index) => rows[index], columns);
}

/** Returns true if the size is shown in bits. */
function isBits({ bitSize, isBitfield }: MemberRow): boolean {
  return isBitfield || bitSize % 8 !== 0;
}

function sizeText(row: MemberRow): string {
  if (row.isSizeUnknown) return '?';
  return isBits(row) ? countOf(row.bitSize, 'bit') : grouped(row.bitSize / 8);
}

type MemberCellProps = {
  readonly row: MemberRow;
  readonly toggle: (path: readonly number[]) => void;
  readonly pins: readonly Pin[];
  readonly children: ReactNode;
};

/** Shows a hole, or the indented name of a member with the button that unfolds it. */
function MemberCell({ row, toggle, pins, children }: MemberCellProps) {
  const isMember = row.kind === 'member';
  return (
    <TreeCell
      depth={row.depth}
      isOpen={isMember && row.inner !== null ? row.isUnfolded : null}
      label={`Members of ${visible(row.name.slice(0, 200)) || 'the anonymous member'}`}
      onToggle={() => toggle(row.path)}
    >
      {isMember ? (
        <>
          <span className="shrink small mono clip">
            <Name text={row.name} {...(row.isBase ? { otherwise: BASE_CLASS } : {})} />
            {row.isBitfield ? <span className={styles.bits}>:{row.bitSize}</span> : null}
          </span>
          <PinMarks pins={pins} />
          {row.overlaps ? <Badge text="overlaps" tone="warning" /> : null}
          {row.pastEnd ? <Badge text="past the end" tone="warning" /> : null}
          {children}
        </>
      ) : (
        <span className={styles.gap}>{gapText(row)}</span>
      )}
    </TreeCell>
  );
}

/** Widths in CSS pixels. Below them the table has fewer columns, or the type below the name. */
const TIGHT = 648;
const NARROW = 440;

/** `tight` shows only the offset, as `0x18:3`. `narrow` also shows the type below the name. */
type MembersRoom = 'wide' | 'tight' | 'narrow';

/** Returns which columns fit into a width in CSS pixels; 0 is a width not known yet. */
export function membersRoom(width: number): MembersRoom {
  if (width === 0 || width >= TIGHT) return 'wide';
  return width >= NARROW ? 'tight' : 'narrow';
}

/** Returns the height of a row in CSS pixels. */
export function memberRowHeight(room: MembersRoom): number {
  return room === 'narrow' ? TWO_LINE_ROW_HEIGHT : DENSE_ROW_HEIGHT;
}

const SORTABLE = new Set(['name', 'hex', 'size']);
/** Key under which the browser stores the order of members in Layout. */
const LAYOUT_MEMBERS = 'Members in Layout';

type MembersPaneProps = Omit<MembersTableProps, 'columns' | 'rowHeight'> & {
  readonly types: TypeTable;
  readonly onlyHoles: boolean;
};

/** Shows a table of the members, sorted by offset, size or name. */
export function MembersPane(props: MembersPaneProps) {
  const { types, rows, onlyHoles, memberPath, onChoose, toggle } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = membersRoom(useElementWidth(frame)) === 'narrow';
  const room = isNarrow ? 'narrow' : 'tight';
  const order = useTableSettings(LAYOUT_MEMBERS).sort ?? BY_OFFSET;
  const shown = useMemo(() => orderedRows(rows, order, onlyHoles), [rows, order, onlyHoles]);
  const columns = useMemo(
    () =>
      memberColumns(types, shown, toggle, { room }).map((column) =>
        SORTABLE.has(column.id) ? { ...column, sortable: true } : column,
      ),
    [types, shown, toggle, room],
  );
  return (
    <div ref={frame} className={styles.frame}>
      <MembersTable
        columns={columns}
        rowHeight={memberRowHeight(room)}
        rows={shown}
        memberPath={memberPath}
        onChoose={onChoose}
        toggle={toggle}
        scrollToIndex={rowOfPath(shown, memberPath)}
        sort={order}
        onSort={(columnId) => setTable(LAYOUT_MEMBERS, { sort: nextOrder(order, columnId) })}
        emptyText={onlyHoles ? 'No holes' : 'No members'}
      />
    </div>
  );
}

type MembersTableProps = Pick<
  VirtualTableProps,
  'rowHeight' | 'scrollToIndex' | 'sort' | 'onSort' | 'emptyText' | 'isWhole'
> & {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly MemberRow[];
  readonly memberPath: readonly number[];
  readonly onChoose: (path: readonly number[]) => void;
  readonly toggle: (path: readonly number[]) => void;
};

/** Shows a table of members. Arrow keys skip holes; Enter unfolds a member. */
export function MembersTable(props: MembersTableProps) {
  const { columns, rows, memberPath, onChoose, toggle, ...rest } = props;
  const selectedIndex = rowOfPath(rows, memberPath);
  return (
    <VirtualTable
      {...rest}
      label="Members"
      isInOrder
      columns={columns}
      count={rows.length}
      selectedIndex={selectedIndex}
      onSelect={(index) => {
        const row = rows[memberNear(rows, index, selectedIndex) ?? -1];
        if (row !== undefined) onChoose(row.path);
      }}
      onActivate={(index) => {
        const row = rows[index];
        if (row !== undefined && row.inner !== null) toggle(row.path);
      }}
    />
  );
}

/** Shows which part of a very large struct is drawn, with buttons to other parts; else hidden. */
export function MemberPager(props: {
  readonly page: MemberPage;
  readonly onPage: (number: number) => void;
}) {
  const { page, onPage } = props;
  const { first, end, number, pages, total } = page;
  if (pages === 1) return null;
  return (
    <p className={styles.pager}>
      Members {grouped(first)} to {grouped(end - 1)} of {grouped(total)} are shown.
      <Button size="small" disabled={number === 0} onClick={() => onPage(number - 1)}>
        Earlier members
      </Button>
      <Button size="small" disabled={number === pages - 1} onClick={() => onPage(number + 1)}>
        Later members
      </Button>
    </p>
  );
}

/** Order of the rows by offset. */
export const BY_OFFSET: SortOrder = { columnId: 'hex', direction: 'ascending' };

/** Returns the order after a click on a column header. Sizes are sorted descending first. */
export function nextOrder(order: SortOrder, columnId: string): SortOrder {
  if (order.columnId !== columnId) {
    return { columnId, direction: columnId === 'size' ? 'descending' : 'ascending' };
  }
  return { columnId, direction: order.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** Sorts the rows. By name, holes come last. `onlyHoles` removes all members. */
export function orderedRows(
  rows: readonly MemberRow[],
  order: SortOrder,
  onlyHoles: boolean,
): readonly MemberRow[] {
  const shown = onlyHoles ? rows.filter((row) => row.kind !== 'member') : [...rows];
  const sign = order.direction === 'ascending' ? 1 : -1;
  if (order.columnId === 'size') shown.sort((a, b) => sign * (a.bitSize - b.bitSize));
  else if (order.columnId === 'name') shown.sort((a, b) => sign * byName(a, b));
  else if (sign === -1) shown.reverse();
  return shown;
}

function byName(a: MemberRow, b: MemberRow): number {
  if ((a.name === '') !== (b.name === '')) return a.name === '' ? 1 : -1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
