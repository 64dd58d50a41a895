import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { gridAria, gridcellAria } from './aria.tsx';
import { CopyButton, ungrouped } from './CopyButton.tsx';
import { useElementWidth } from './element-size.tsx';
import { type RowActions, rowAfterKey, rowHandlers } from './list-keys.ts';
import { useMeasured } from './measured-columns.ts';
import { ColumnMenu, resizeColumn, TableHeader, useSorting } from './TableHeader.tsx';
import {
  arranged,
  columnAfterKey,
  columnStarts,
  fitted,
  gridTemplateOf,
  HEADER_HEIGHT,
  minWidthOf,
  ROW_HEIGHT,
  type TableColumn,
} from './table-columns.ts';
import { type SortOrder, useTableSettings } from './table-settings.ts';
import { usePageRows } from './use-page-rows.ts';
import { type RowWindowControl, useRowWindow } from './use-row-window.ts';
import styles from './VirtualTable.module.css';

/** CSS pixels by which one key press resizes a column. */
const KEY_STEP = 16;
/** Width in CSS pixels of the column menu's button, at the end of each row and of the header. */
const MENU_WIDTH = 26;

export type VirtualTableProps = RowActions & {
  /** Accessible name of the table. Settings of the user are stored by this name. */
  readonly label: string;
  /** Columns of the table. Pass the same array while columns and rows are the same. */
  readonly columns: readonly TableColumn[];
  readonly count: number;
  /** Height of a row in CSS pixels, by default 28. */
  readonly rowHeight?: number;
  readonly selectedIndex: number | null;
  /** Sort order that the parent has applied (with `onSort`). Else the table sorts the rows. */
  readonly sort?: SortOrder | null;
  readonly onSort?: (columnId: string) => void;
  /** Whether the order of the rows has a meaning, as in a tree: no column can sort them. */
  readonly isInOrder?: boolean;
  /** Whether the table shows all rows and the page scrolls instead of the table. */
  readonly isWhole?: boolean;
  /** Row to scroll to whenever the number changes; null to leave the position. */
  readonly scrollToIndex?: number | null;
  /** Text under the header if the table has no rows. */
  readonly emptyText?: string;
};

/**
 * Draws a grid of equally high rows under a fixed header. Up, Down, PageUp, PageDown, Home and End
 * select a row; Enter activates the row. Left and Right move between cells; with Shift they resize
 * the column. The caller's row indices stay the same in a sorted table.
 */
export function VirtualTable(props: VirtualTableProps) {
  return props.isWhole === true ? <WholeTable {...props} /> : <ScrolledTable {...props} />;
}

type Rows = RowWindowControl<HTMLTableElement>;

function ScrolledTable(props: VirtualTableProps) {
  const { count, rowHeight = ROW_HEIGHT } = props;
  const rows: Rows = useRowWindow({ count, rowHeight, headerHeight: HEADER_HEIGHT });
  return <Table {...props} rows={rows} />;
}

function WholeTable(props: VirtualTableProps) {
  const { count, rowHeight = ROW_HEIGHT } = props;
  const rows: Rows = usePageRows({ count, rowHeight, headerHeight: HEADER_HEIGHT });
  const width = useElementWidth(rows.scrollerRef);
  return <Table {...props} rows={rows} width={width} />;
}

type TableProps = VirtualTableProps & {
  readonly rows: Rows;
  /** Width of the table's parent in CSS pixels, if `isWhole` is set. */
  readonly width?: number;
};

function Table(props: TableProps) {
  const { label, count, rowHeight = ROW_HEIGHT, selectedIndex, onSelect, onActivate } = props;
  const { scrollToIndex, rows, width } = props;
  const id = useId();
  const { showRow, scrollerRef } = rows;
  const [columnIndex, setColumnIndex] = useState(0);
  const settings = useTableSettings(label);
  const arrangedColumns = useMemo(
    () => arranged(fitted(props.columns, count), settings),
    [props.columns, count, settings],
  );
  const room = useElementWidth(scrollerRef);
  const columns = useMeasured(scrollerRef, arrangedColumns, room, rows.end > rows.first);
  const sorting = useSorting(props, settings.sort);
  const { order } = sorting;
  const placeOf = (row: number | null) =>
    row === null || order === null ? row : (order.placeOf[row] ?? row);
  const rowAt = (place: number) => order?.rowAt[place] ?? place;
  const selectedPlace = placeOf(selectedIndex);

  const placeToShow = placeOf(scrollToIndex ?? null);
  useEffect(() => {
    if (placeToShow !== null) showRow(placeToShow, 'center');
  }, [placeToShow, showRow]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const nextColumn = columnAfterKey(event.key, columnIndex, columns.length);
    const nextPlace = rowAfterKey(event.key, selectedPlace, count, rows.pageRows);
    if (event.key === 'Enter' && selectedIndex !== null) onActivate?.(selectedIndex);
    else if (nextColumn !== null && event.shiftKey) {
      const head = scrollerRef.current?.querySelectorAll('th')[columnIndex];
      const by = event.key === 'ArrowLeft' ? -KEY_STEP : KEY_STEP;
      const column = columns[columnIndex];
      if (head !== undefined && column !== undefined && column.isBelow !== true) {
        resizeColumn(label, column.id, head.offsetWidth + by);
      }
    } else if (nextColumn !== null) {
      setColumnIndex(nextColumn);
      showColumn(scrollerRef.current, columns, nextColumn);
    } else if (nextPlace !== null) {
      showRow(nextPlace, 'nearest');
      if (nextPlace !== selectedPlace) onSelect(rowAt(nextPlace));
    } else return;
    event.preventDefault();
  };

  const gridTemplateColumns = gridTemplateOf(columns);
  const hasMenu = props.columns.length > 2;
  const minWidth = minWidthOf(columns) + (hasMenu ? MENU_WIDTH : 0);
  const drawn: ReactNode[] = [];
  for (let place = rows.first; place < rows.end; place++) {
    const index = rowAt(place);
    drawn.push(
      <Row
        key={index}
        idPrefix={id}
        index={index}
        place={place}
        top={place * rowHeight + rows.shift}
        height={rowHeight}
        gridTemplateColumns={gridTemplateColumns}
        columns={columns}
        isSelected={index === selectedIndex}
        activeColumn={index === selectedIndex ? columnIndex : null}
      />,
    );
  }
  const isActiveDrawn =
    selectedPlace !== null && selectedPlace >= rows.first && selectedPlace < rows.end;
  const aria = gridAria({
    label,
    count,
    columnCount: columns.length,
    activeId:
      isActiveDrawn && selectedIndex !== null ? cellId(id, selectedIndex, columnIndex) : null,
  });
  return (
    <div className={styles.frame}>
      <table
        ref={scrollerRef}
        className={styles.table}
        data-whole={width !== undefined && width >= minWidth ? '' : undefined}
        {...rowHandlers(props)}
        onClickCapture={({ target }) => {
          const cell = target instanceof Element ? target.closest('td') : null;
          if (cell !== null) setColumnIndex(cell.cellIndex);
        }}
        onKeyDown={onKeyDown}
        {...aria}
      >
        <TableHeader label={label} columns={columns} minWidth={minWidth} {...sorting} />
        <tbody className={styles.rows} style={{ height: rows.height, minWidth }}>
          {drawn}
        </tbody>
      </table>
      {hasMenu ? <ColumnMenu label={label} columns={props.columns} settings={settings} /> : null}
      {count === 0 ? <p className={styles.empty}>{props.emptyText ?? 'Nothing here'}</p> : null}
    </div>
  );
}

function showColumn(
  scroller: Element | null,
  columns: readonly TableColumn[],
  index: number,
): void {
  const column = columns[index];
  if (scroller === null || column === undefined) return;
  const start = columnStarts(columns)[index] ?? 0;
  const end = start + (column.isBelow === true ? 0 : column.width);
  if (start < scroller.scrollLeft) scroller.scrollLeft = start;
  else if (end > scroller.scrollLeft + scroller.clientWidth) {
    scroller.scrollLeft = end - scroller.clientWidth;
  }
}

function cellId(idPrefix: string, row: number, column: number): string {
  return `${idPrefix}${row}c${column}`;
}

/** Returns the text of a cell without parts that are only drawn or only spoken. */
function shownText(id: string): string {
  const cell = document.getElementById(id)?.cloneNode(true);
  if (!(cell instanceof Element)) return '';
  for (const mark of cell.querySelectorAll('[aria-hidden="true"], .visually-hidden')) mark.remove();
  return ungrouped(cell.textContent ?? '').trim();
}

type RowProps = {
  readonly idPrefix: string;
  readonly index: number;
  /** Position of the row in the table. It differs from `index` if the table is sorted. */
  readonly place: number;
  readonly top: number;
  readonly height: number;
  readonly gridTemplateColumns: string;
  readonly columns: readonly TableColumn[];
  readonly isSelected: boolean;
  readonly activeColumn: number | null;
};

const Row = memo(function Row(props: RowProps) {
  const { idPrefix, index, place, top, height, gridTemplateColumns, columns, activeColumn } = props;
  const style: CSSProperties = { top, height, gridTemplateColumns };
  return (
    <tr
      data-row={index}
      className={styles.row}
      style={style}
      aria-rowindex={place + 2}
      aria-selected={props.isSelected}
    >
      {columns.map((column, columnIndex) => (
        <td
          key={column.id}
          id={cellId(idPrefix, index, columnIndex)}
          className={styles.cell}
          data-align={column.align}
          data-mono={column.mono}
          data-below={column.isBelow}
          data-active={columnIndex === activeColumn ? '' : undefined}
          {...gridcellAria(columnIndex)}
        >
          {column.cell(index)}
          {columnIndex === activeColumn ? (
            <span className={styles.copy}>
              <CopyButton
                text={() => shownText(cellId(idPrefix, index, columnIndex))}
                label={`Copy ${column.header}`}
                isIconOnly
              />
            </span>
          ) : null}
        </td>
      ))}
    </tr>
  );
});
