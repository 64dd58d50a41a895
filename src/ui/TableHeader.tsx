import { Check, ChevronDown, ChevronsUpDown, ChevronUp, Columns3 } from 'lucide-react';
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
  /** Null where the rows stand as the caller has them. */
  readonly order: RowOrder | null;
  readonly sort: SortOrder | null;
  /** Ids of the columns that sort. */
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

/** How a table is sorted: by whoever has `onSort`, else by the table itself as `own` says. */
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

/** Rows that are asked whether a column has words to sort by. */
const ASKED = 40;

function hasOrder(column: TableColumn, count: number): boolean {
  if (column.by !== undefined) return true;
  for (let row = 0; row < Math.min(count, ASKED); row++) {
    if (cellText(column.cell(row)) !== '') return true;
  }
  return false;
}

/** The order after a click on a header: of that column, then turned, then as it was. */
function nextSort(sort: SortOrder | null, columnId: string): SortOrder | null {
  if (sort?.columnId !== columnId) return { columnId, direction: 'ascending' };
  return sort.direction === 'ascending' ? { columnId, direction: 'descending' } : null;
}

type TableHeaderProps = Omit<Sorting, 'order'> & {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  /** CSS pixels, under which the table scrolls sideways. */
  readonly minWidth: number;
};

/** The header row of a VirtualTable: names that sort, and edges that resize. */
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

/** Makes a column `width` CSS pixels wide; null as wide as it was. */
export function resizeColumn(label: string, id: string, width: number | null): void {
  const { [id]: _, ...others } = tableSettings(label).widths;
  const widths =
    width === null ? others : { ...others, [id]: Math.max(LEAST_WIDTH, Math.round(width)) };
  setTable(label, { widths });
}

/** The end of a header cell: dragged it resizes the column, a double click gives the first width back. Keys do so in the grid. */
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
  /** All of the table, the hidden ones among them. */
  readonly columns: readonly TableColumn[];
  readonly settings: TableSettings;
};

/** Shows and hides columns. */
export function ColumnMenu({ label, columns, settings }: ColumnMenuProps) {
  const { hidden, widths } = settings;
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const items = columns.map(({ id, header }): MenuItem => {
    const isShown = !hidden.includes(id);
    return {
      id,
      label: isShown ? header : `${header} (hidden)`,
      icon: isShown ? <Check size={14} aria-hidden /> : null,
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
