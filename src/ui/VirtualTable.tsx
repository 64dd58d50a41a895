import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react';
import { gridAria, gridcellAria } from './grid-aria.ts';
import { type RowActions, rowAfterKey, rowHandlers } from './list-keys.ts';
import {
  columnAfterKey,
  columnStarts,
  gridTemplateOf,
  HEADER_HEIGHT,
  minWidthOf,
  ROW_HEIGHT,
  type TableColumn,
} from './table-columns.ts';
import { useRowWindow } from './use-row-window.ts';
import styles from './VirtualTable.module.css';

export type VirtualTableProps = RowActions & {
  /** Accessible name of the table. */
  readonly label: string;
  /** Keep its identity while the columns and rows stay the same: then only rows that come into view are drawn. */
  readonly columns: readonly TableColumn[];
  readonly count: number;
  /** CSS pixels; 28 unless told. */
  readonly rowHeight?: number;
  readonly selectedIndex: number | null;
  readonly sort?: SortOrder | null;
  readonly onSort?: (columnId: string) => void;
  /** Scrolls to this row each time the number changes; null scrolls nowhere. */
  readonly scrollToIndex?: number | null;
  /** Shown under the header when there are no rows. */
  readonly emptyText?: string;
};

/**
 * A grid for any number of rows of one height, with a header that stays. Up,
 * Down, PageUp, PageDown, Home and End select a row, Left and Right move
 * between cells, Enter activates. Wider than its place, it scrolls inside itself.
 */
export function VirtualTable(props: VirtualTableProps) {
  const { columns, count, rowHeight = ROW_HEIGHT, selectedIndex, onSelect, onActivate } = props;
  const { scrollToIndex } = props;
  const id = useId();
  const rows = useRowWindow<HTMLTableElement>({ count, rowHeight, headerHeight: HEADER_HEIGHT });
  const { showRow, scrollerRef } = rows;
  const [columnIndex, setColumnIndex] = useState(0);

  useEffect(() => {
    if (scrollToIndex !== undefined && scrollToIndex !== null) showRow(scrollToIndex, 'center');
  }, [scrollToIndex, showRow]);

  const showColumn = (index: number) => {
    const scroller = scrollerRef.current;
    const column = columns[index];
    if (scroller === null || column === undefined) return;
    const start = columnStarts(columns)[index] ?? 0;
    const end = start + column.width;
    if (start < scroller.scrollLeft) scroller.scrollLeft = start;
    else if (end > scroller.scrollLeft + scroller.clientWidth) {
      scroller.scrollLeft = end - scroller.clientWidth;
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const nextColumn = columnAfterKey(event.key, columnIndex, columns.length);
    const nextRow = rowAfterKey(event.key, selectedIndex, count, rows.pageRows);
    if (event.key === 'Enter' && selectedIndex !== null) onActivate?.(selectedIndex);
    else if (nextColumn !== null) {
      setColumnIndex(nextColumn);
      showColumn(nextColumn);
    } else if (nextRow !== null) {
      showRow(nextRow, 'nearest');
      if (nextRow !== selectedIndex) onSelect(nextRow);
    } else return;
    event.preventDefault();
  };

  const gridTemplateColumns = gridTemplateOf(columns);
  const drawn: ReactNode[] = [];
  for (let index = rows.first; index < rows.end; index++) {
    drawn.push(
      <Row
        key={index}
        idPrefix={id}
        index={index}
        top={index * rowHeight + rows.shift}
        height={rowHeight}
        gridTemplateColumns={gridTemplateColumns}
        columns={columns}
        isSelected={index === selectedIndex}
        activeColumn={index === selectedIndex ? columnIndex : null}
      />,
    );
  }
  const isActiveDrawn =
    selectedIndex !== null && selectedIndex >= rows.first && selectedIndex < rows.end;
  const aria = gridAria({
    label: props.label,
    count,
    columnCount: columns.length,
    activeId: isActiveDrawn ? cellId(id, selectedIndex, columnIndex) : null,
  });
  return (
    <div className={styles.frame}>
      <table
        ref={scrollerRef}
        className={styles.table}
        {...rowHandlers(props)}
        onKeyDown={onKeyDown}
        {...aria}
      >
        <TableHeader
          columns={columns}
          height={HEADER_HEIGHT}
          sort={props.sort ?? null}
          onSort={props.onSort}
        />
        <tbody
          className={styles.rows}
          style={{ height: rows.height, minWidth: minWidthOf(columns) }}
        >
          {drawn}
        </tbody>
      </table>
      {count === 0 ? <p className={styles.empty}>{props.emptyText ?? 'Nothing here'}</p> : null}
    </div>
  );
}

function cellId(idPrefix: string, row: number, column: number): string {
  return `${idPrefix}${row}c${column}`;
}

type RowProps = {
  readonly idPrefix: string;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly gridTemplateColumns: string;
  readonly columns: readonly TableColumn[];
  readonly isSelected: boolean;
  readonly activeColumn: number | null;
};

const Row = memo(function Row(props: RowProps) {
  const { idPrefix, index, top, height, gridTemplateColumns, columns, activeColumn } = props;
  const style: CSSProperties = { top, height, gridTemplateColumns };
  return (
    <tr
      data-row={index}
      className={styles.row}
      style={style}
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
    >
      {columns.map((column, columnIndex) => (
        <td
          key={column.id}
          id={cellId(idPrefix, index, columnIndex)}
          className={styles.cell}
          data-align={column.align}
          data-mono={column.mono}
          data-active={columnIndex === activeColumn ? '' : undefined}
          {...gridcellAria(columnIndex)}
        >
          {column.cell(index)}
        </td>
      ))}
    </tr>
  );
});

export type SortOrder = {
  readonly columnId: string;
  readonly direction: 'ascending' | 'descending';
};

type TableHeaderProps = {
  readonly columns: readonly TableColumn[];
  /** CSS pixels. */
  readonly height: number;
  readonly sort: SortOrder | null;
  readonly onSort: ((columnId: string) => void) | undefined;
};

/** The header row of a VirtualTable. A sortable column's name is a button that asks for `onSort`. */
function TableHeader({ columns, height, sort, onSort }: TableHeaderProps) {
  return (
    <thead className={styles.header} style={{ height, minWidth: minWidthOf(columns) }}>
      <tr
        aria-rowindex={1}
        className={styles.headerRow}
        style={{ gridTemplateColumns: gridTemplateOf(columns) }}
      >
        {columns.map((column, index) => {
          const direction = sort?.columnId === column.id ? sort.direction : 'none';
          const isSortable = column.sortable === true && onSort !== undefined;
          return (
            <th
              key={column.id}
              scope="col"
              className={styles.headerCell}
              data-align={column.align}
              aria-colindex={index + 1}
              aria-sort={isSortable ? direction : undefined}
            >
              {isSortable && column.heading !== undefined ? (
                <span className="inline-row gap-1 shrink">
                  <span className={styles.headerText}>{column.heading}</span>
                  <button
                    type="button"
                    className={styles.sortIcon}
                    aria-label={`Sort by ${column.header}`}
                    onClick={() => onSort(column.id)}
                  >
                    <SortIcon direction={direction} />
                  </button>
                </span>
              ) : isSortable ? (
                <button type="button" className={styles.sort} onClick={() => onSort(column.id)}>
                  <span className={styles.headerText}>{column.header}</span>
                  <SortIcon direction={direction} />
                </button>
              ) : (
                <span className={styles.headerText}>{column.heading ?? column.header}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function SortIcon({ direction }: { readonly direction: 'ascending' | 'descending' | 'none' }) {
  if (direction === 'ascending') return <ChevronUp size={12} aria-hidden />;
  if (direction === 'descending') return <ChevronDown size={12} aria-hidden />;
  return <ChevronsUpDown size={12} aria-hidden className={styles.unsorted} />;
}
