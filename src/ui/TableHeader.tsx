import { ChevronDown, ChevronsUpDown, ChevronUp, Columns3 } from 'lucide-react';
import { type PointerEvent, useMemo } from 'react';
import { Button } from './Button.tsx';
import { Menu, type MenuItem } from './Menu.tsx';
import {
  cellText,
  gridTemplateOf,
  HEADER_HEIGHT,
  MAX_SORTED,
  type RowOrder,
  rowOrder,
  type TableColumn,
} from './table-columns.ts';
import {
  LEAST_WIDTH,
  type SortOrder,
  setTable,
  type TableSettings,
  tableSettings,
} from './table-settings.ts';
import styles from './VirtualTable.module.css';

type Sorting = {
  /** Order of the rows; null if the rows stay in the order of the caller. */
  readonly order: RowOrder | null;
  readonly sort: SortOrder | null;
  /** Ids of the columns by which the table can be sorted. */
  readonly sortable: ReadonlySet<string>;
  readonly onSort: (columnId: string) => void;
};

type SortingOptions = {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly count: number;
  readonly sort?: SortOrder | null;
  readonly onSort?: (columnId: string) => void;
  readonly isInOrder?: boolean;
};

/** Returns how a table is sorted: by the parent's `onSort`, else by its own order. */
export function useSorting(options: SortingOptions, own: SortOrder | null): Sorting {
  const { label, columns, count, sort = null, onSort, isInOrder = false } = options;
  const isOwn = onSort === undefined && !isInOrder && count <= MAX_SORTED;
  const isOthers = onSort !== undefined;
  const sortable = useMemo(() => {
    const able = isOwn
      ? columns.filter((column) => count > 1 && hasOrder(column, count))
      : columns.filter((column) => column.sortable === true && isOthers);
    return new Set(able.map(({ id }) => id));
  }, [columns, count, isOwn, isOthers]);
  const order = useMemo(
    () => (isOwn && own !== null ? rowOrder(columns, count, own) : null),
    [columns, count, isOwn, own],
  );
  return {
    order,
    sort: isOwn ? own : sort,
    sortable,
    onSort: onSort ?? ((columnId) => setTable(label, { sort: nextSort(own, columnId) })),
  };
}

/** Maximum number of rows tested for text. A column without text cannot be sorted. */
const SAMPLED_ROWS = 40;

function hasOrder(column: TableColumn, count: number): boolean {
  if (column.by !== undefined) return true;
  for (let row = 0; row < Math.min(count, SAMPLED_ROWS); row++) {
    if (cellText(column.cell(row)) !== '') return true;
  }
  return false;
}

/** Returns the sort order after a click on a header: ascending, then descending, then unsorted. */
function nextSort(sort: SortOrder | null, columnId: string): SortOrder | null {
  if (sort?.columnId !== columnId) return { columnId, direction: 'ascending' };
  return sort.direction === 'ascending' ? { columnId, direction: 'descending' } : null;
}

type TableHeaderProps = Omit<Sorting, 'order'> & {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  /** Width in CSS pixels below which the table scrolls sideways. */
  readonly minWidth: number;
};

/** Draws the header of a VirtualTable: names that sort the rows, and edges that resize columns. */
export function TableHeader(props: TableHeaderProps) {
  const { label, columns, minWidth, sort, sortable, onSort } = props;
  return (
    <thead className={styles.header} style={{ height: HEADER_HEIGHT, minWidth }}>
      <tr
        aria-rowindex={1}
        className={styles.headerRow}
        style={{ gridTemplateColumns: gridTemplateOf(columns) }}
      >
        {columns.map((column, index) => {
          const direction = sort?.columnId === column.id ? sort.direction : 'none';
          const isSortable = sortable.has(column.id) && column.isBelow !== true;
          return (
            <th
              key={column.id}
              scope="col"
              className={styles.headerCell}
              data-align={column.align}
              data-below={column.isBelow}
              aria-colindex={index + 1}
              aria-sort={isSortable ? direction : undefined}
            >
              {isSortable && column.heading !== undefined ? (
                <span className={styles.headed}>
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
              {column.isBelow === true ? null : <ResizeEdge label={label} id={column.id} />}
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

/** Sets the width of a column in CSS pixels; null restores the default width. */
export function resizeColumn(label: string, id: string, width: number | null): void {
  const { [id]: _, ...others } = tableSettings(label).widths;
  const widths =
    width === null ? others : { ...others, [id]: Math.max(LEAST_WIDTH, Math.round(width)) };
  setTable(label, { widths });
}

/** Draws the right edge of a header cell. Dragging resizes the column; a double click resets it. */
function ResizeEdge({ label, id }: { readonly label: string; readonly id: string }) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    const edge = event.currentTarget;
    const width = edge.parentElement?.offsetWidth ?? 0;
    const from = event.clientX;
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = ({ clientX }) => resizeColumn(label, id, width + clientX - from);
    edge.onlostpointercapture = () => {
      edge.onpointermove = null;
    };
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span
      className={styles.edge}
      aria-hidden
      onPointerDown={onPointerDown}
      onDoubleClick={(event) => {
        event.stopPropagation();
        resizeColumn(label, id, null);
      }}
    />
  );
}

type ColumnMenuProps = {
  readonly label: string;
  /** All columns of the table, including hidden columns. */
  readonly columns: readonly TableColumn[];
  readonly settings: TableSettings;
};

/** Draws the menu that shows and hides columns of a table. */
export function ColumnMenu({ label, columns, settings }: ColumnMenuProps) {
  const { hidden, widths } = settings;
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const items = columns.map(({ id, header }): MenuItem => {
    const isShown = !hidden.includes(id);
    return {
      id,
      label: isShown ? header : `${header} (hidden)`,
      isChecked: isShown,
      isDisabled: isShown && shown.length === 1,
      onSelect: () =>
        setTable(label, {
          hidden: isShown ? [...hidden, id] : hidden.filter((other) => other !== id),
        }),
    };
  });
  const reset: MenuItem = {
    id: 'as-before',
    label: 'Reset columns',
    isDisabled: hidden.length === 0 && Object.keys(widths).length === 0,
    onSelect: () => setTable(label, { hidden: [], widths: {}, sort: null }),
  };
  return (
    <span className={styles.columns} data-changed={hidden.length > 0 ? '' : undefined}>
      <Menu
        align="end"
        trigger={
          <Button
            variant="quiet"
            size="small"
            icon={Columns3}
            aria-label={`Columns of ${label}`}
            title="Choose columns"
          />
        }
        groups={[items, [reset]]}
      />
    </span>
  );
}
