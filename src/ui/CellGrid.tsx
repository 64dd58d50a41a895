import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { gridAria, gridcellAria } from './aria.tsx';
import styles from './CellGrid.module.css';
import { NARROW, onResize, useElementWidth, useNarrow } from './element-size.tsx';
import { type Columns, sharedWidths, useGridNeeds } from './grid-widths.ts';
import { keepFocus, rowAfterKey, rowOfEvent } from './list-keys.ts';
import { columnAfterKey } from './table-columns.ts';
import type { StatusTone } from './tone.ts';
import { type RowWindowControl, useRowWindow } from './use-row-window.ts';

const ROW_HEIGHT = 28;

/** Position of a cell. Column 0 has the line's name; the other columns begin at 1. */
export type CellPlace = { readonly line: number; readonly column: number };

export type SeenColumns = { readonly first: number; readonly end: number };

/** Drawn columns, and measures in CSS pixels that all lines of the grid share. */
export type GridLayout = SeenColumns & {
  readonly headerHeight: number;
  readonly template: string;
  readonly minWidth: number;
};

/** Position of one line of the grid. */
export type LinePlace = SeenColumns & {
  readonly index: number;
  /** Prefix of the `id` attributes of the cells in the line. */
  readonly idPrefix: string;
  /** Distance from the top of the first line in CSS pixels. */
  readonly top: number;
  readonly height: number;
  readonly gridTemplateColumns: string;
  /** Column of the active cell, 0 for the line's name; null if the cell is in another line. */
  readonly activeColumn: number | null;
};

type CellGridProps = {
  readonly label: string;
  readonly lineCount: number;
  /** Number of columns, without the column of the line names. */
  readonly columnCount: number;
  /** Width in CSS pixels of a column whose cells need no more. */
  readonly columnWidth: number;
  readonly headerHeight: number;
  /** Widths of the name column in CSS pixels: on a narrow screen; minimum and maximum elsewhere. */
  readonly nameWidths: Readonly<Record<'narrow' | 'wide' | 'widest', number>>;
  readonly renderHeader: (layout: GridLayout) => ReactNode;
  readonly renderLine: (place: LinePlace) => ReactNode;
  readonly active: CellPlace | null;
  readonly onActive: (place: CellPlace) => void;
  /** Called when the user presses Enter or Space, or double-clicks a cell. */
  readonly onOpen: (place: CellPlace) => void;
  /** Called after a click on a cell. The cell is then the active one. */
  readonly onClick?: (place: CellPlace) => void;
  /** Text under the header if the grid has no lines. */
  readonly emptyText: string;
};

/** Draws a grid: its visible lines and columns, and a header and line names that stay. */
export function CellGrid(props: CellGridProps) {
  const { label, lineCount, columnCount, columnWidth, headerHeight, active, onActive } = props;
  const { onOpen, onClick } = props;
  const id = useId();
  const isNarrow = useNarrow(NARROW);
  const rows = useRowWindow<HTMLTableElement>({
    count: lineCount,
    rowHeight: ROW_HEIGHT,
    headerHeight,
  });
  const { scrollerRef } = rows;
  const room = useElementWidth(scrollerRef);
  const { narrow, wide, widest } = props.nameWidths;
  const left = room - columnWidth * columnCount;
  const needs = useGridNeeds(
    scrollerRef,
    { count: columnCount, width: columnWidth },
    !isNarrow && lineCount > 0 && left > wide,
    lineCount,
  );
  const widths =
    needs === null ? null : sharedWidths({ room, columnWidth, name: { wide, widest }, needs });
  const nameWidth = widths?.name ?? (isNarrow ? narrow : Math.max(wide, Math.min(widest, left)));
  const seen = useColumnWindow(scrollerRef, { count: columnCount, width: columnWidth }, nameWidth);
  const columns =
    widths?.columns.map((width) => `${width}px`).join(' ') ??
    `repeat(${columnCount}, ${columnWidth}px)`;
  const template = `${nameWidth}px ${columns} minmax(0, 1fr)`;
  // Columns of unequal widths fill no more than the grid.
  const minWidth = widths === null ? nameWidth + columnWidth * columnCount : 0;
  const show = useShowCell(rows, active, columnWidth, nameWidth);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      if (active === null) return;
      onOpen(active);
    } else {
      const next = cellAfterKey(event.key, active, {
        lines: lineCount,
        columns: columnCount + 1,
        pageLines: rows.pageRows,
      });
      if (next === null) return;
      show(next, 'nearest');
      onActive(next);
    }
    event.preventDefault();
  };
  const click = (event: MouseEvent) => {
    const place = cellOfEvent(event);
    if (place === null) return;
    onActive(place);
    onClick?.(place);
  };
  const doubleClick = (event: MouseEvent) => {
    const place = cellOfEvent(event);
    if (place !== null) onOpen(place);
  };

  const drawn: ReactNode[] = [];
  for (let index = rows.first; index < rows.end && index < lineCount; index++) {
    drawn.push(
      props.renderLine({
        index,
        idPrefix: id,
        top: index * ROW_HEIGHT + rows.shift,
        height: ROW_HEIGHT,
        gridTemplateColumns: template,
        activeColumn: active?.line === index ? active.column : null,
        ...seen,
      }),
    );
  }
  const isActiveDrawn =
    active !== null &&
    active.line >= rows.first &&
    active.line < rows.end &&
    (active.column === 0 || (active.column > seen.first && active.column <= seen.end));
  const aria = gridAria({
    label,
    count: lineCount,
    columnCount: columnCount + 1,
    activeId: isActiveDrawn ? cellId(id, active.line, active.column) : null,
  });
  return (
    <div className={styles.frame}>
      <table
        ref={scrollerRef}
        className={styles.table}
        onMouseDown={keepFocus}
        onKeyDown={onKeyDown}
        onClick={click}
        onDoubleClick={doubleClick}
        {...aria}
      >
        {props.renderHeader({ headerHeight, template, minWidth, ...seen })}
        <tbody className={styles.rows} style={{ height: rows.height, minWidth }}>
          {drawn}
        </tbody>
      </table>
      {lineCount === 0 ? (
        <p className={styles.empty} style={{ top: headerHeight }}>
          {props.emptyText}
        </p>
      ) : null}
    </div>
  );
}

/** Returns a function that scrolls to a cell. Scrolls to `active` when the view reappears. */
function useShowCell(
  { scrollerRef, showRow }: RowWindowControl<HTMLTableElement>,
  active: CellPlace | null,
  columnWidth: number,
  nameWidth: number,
) {
  const show = ({ line, column }: CellPlace, align: 'nearest' | 'center') => {
    showRow(line, align);
    const scroller = scrollerRef.current;
    if (scroller === null || column === 0) return;
    const start = columnWidth * (column - 1);
    const room = scroller.clientWidth - nameWidth;
    if (start < scroller.scrollLeft) scroller.scrollLeft = start;
    else if (start + columnWidth > scroller.scrollLeft + room) {
      scroller.scrollLeft = start + columnWidth - room;
    }
  };
  const first = useRef(active);
  const showFirst = useRef(show);
  useEffect(() => {
    if (first.current !== null) showFirst.current(first.current, 'center');
  }, []);
  return show;
}

type GridHeaderProps = Pick<GridLayout, 'headerHeight' | 'template' | 'minWidth'> & {
  /** Content of the header cell above the line names. */
  readonly corner: ReactNode;
  /** Header cells of the columns that are drawn. */
  readonly children: ReactNode;
};

/** Draws the header of the grid, which does not scroll with the lines. */
export function GridHeader({
  headerHeight,
  template,
  minWidth,
  corner,
  children,
}: GridHeaderProps) {
  return (
    <thead className={styles.header} style={{ height: headerHeight, minWidth }}>
      <tr className="grid tall" style={{ gridTemplateColumns: template }} aria-rowindex={1}>
        <th scope="col" className={styles.corner} aria-colindex={1}>
          {corner}
        </th>
        {children}
      </tr>
    </thead>
  );
}

/** Draws the name of a column in up to three lines. */
export function ColumnName({ children }: { readonly children: ReactNode }) {
  return (
    <span className={styles.columnName} data-column-name>
      {children}
    </span>
  );
}

/** Content of a cell and the colour of its background. */
export type GridCell = {
  readonly shown: ReactNode;
  readonly tone: StatusTone | undefined;
  readonly title?: string;
};

type GridLineProps = {
  readonly place: LinePlace;
  readonly head: ReactNode;
  readonly title?: string | undefined;
  /** Value of the attribute `data-kind`, for style sheets. */
  readonly kind?: string;
  /** Nesting depth of the line. */
  readonly depth?: number;
  readonly isExpanded?: boolean | undefined;
  readonly cellAt: (column: number) => GridCell;
  readonly keyAt: (column: number) => string | number;
};

/** Draws one line of the grid: the name, and the cells in the drawn columns. */
export function GridLine(props: GridLineProps) {
  const { place, head, title, kind, depth, isExpanded, cellAt, keyAt } = props;
  const { index, idPrefix, top, height, gridTemplateColumns, first, end, activeColumn } = place;
  const cells: ReactNode[] = [];
  for (let at = first; at < end; at++) {
    const cell = cellAt(at);
    cells.push(
      <td
        key={keyAt(at)}
        id={cellId(idPrefix, index, at + 1)}
        className={styles.cell}
        style={{ gridColumn: at + 2 }}
        data-tone={cell.tone}
        data-column={at + 1}
        data-active={activeColumn === at + 1 ? '' : undefined}
        title={cell.title}
        {...gridcellAria(at + 1)}
      >
        {cell.shown}
      </td>,
    );
  }
  return (
    <tr
      data-row={index}
      data-kind={kind}
      data-depth={depth}
      className={styles.line}
      style={{ top, height, gridTemplateColumns }}
      aria-rowindex={index + 2}
    >
      <th
        scope="row"
        id={cellId(idPrefix, index, 0)}
        data-depth={depth}
        className={styles.head}
        data-column={0}
        data-active={activeColumn === 0 ? '' : undefined}
        aria-colindex={1}
        aria-expanded={isExpanded}
        title={title}
      >
        {head}
      </th>
      {cells}
    </tr>
  );
}

function cellId(idPrefix: string, line: number, column: number): string {
  return `${idPrefix}${line}c${column}`;
}

/** Returns the cell in which an event happened; null outside of cells. */
function cellOfEvent(event: SyntheticEvent): CellPlace | null {
  const line = rowOfEvent(event);
  if (line === null || !(event.target instanceof Element)) return null;
  const column = event.target.closest('[data-column]')?.getAttribute('data-column');
  return column === undefined || column === null ? null : { line, column: Number(column) };
}

/** Returns the columns to draw. The name column hides the first `covered` CSS pixels. */
function useColumnWindow(
  scrollerRef: RefObject<HTMLElement | null>,
  { count, width }: Columns,
  covered: number,
): SeenColumns {
  const [seen, setSeen] = useState({ first: 0, end: 0 });
  const measure = useCallback(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    const room = scroller.clientWidth - covered;
    const next = columnWindow({ count, width, scrollLeft: scroller.scrollLeft, room });
    setSeen((old) => (old.first === next.first && old.end === next.end ? old : next));
  }, [scrollerRef, count, width, covered]);

  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return;
    const stop = onResize(scroller, measure);
    scroller.addEventListener('scroll', measure, { passive: true });
    return () => {
      stop();
      scroller.removeEventListener('scroll', measure);
    };
  }, [scrollerRef, measure]);

  return seen;
}

/** Additional columns drawn on each side: scrolling can be faster than drawing. */
const OVERSCAN = 2;
/** Number of columns added or removed at once: each change draws all lines again. */
const STEP = 4;

type ColumnPlace = Columns & {
  readonly scrollLeft: number;
  /** Visible width beside the name column, in CSS pixels. */
  readonly room: number;
};

/** Returns the columns to draw: the visible ones, with `OVERSCAN` more on each side. */
export function columnWindow({ count, width, scrollLeft, room }: ColumnPlace): SeenColumns {
  const first = Math.floor(scrollLeft / width) - OVERSCAN;
  const end = Math.ceil((scrollLeft + Math.max(0, room)) / width) + OVERSCAN;
  const clamp = (column: number) => Math.max(0, Math.min(count, column));
  return {
    first: clamp(STEP * Math.floor(first / STEP)),
    end: clamp(STEP * Math.ceil(end / STEP)),
  };
}

/** Returns the cell that a key moves to; null for other keys. Page keys move by `pageLines`. */
export function cellAfterKey(
  key: string,
  from: CellPlace | null,
  size: { readonly lines: number; readonly columns: number; readonly pageLines: number },
): CellPlace | null {
  const { line, column } = from ?? { line: 0, column: 0 };
  const nextColumn = columnAfterKey(key, column, size.columns);
  if (nextColumn !== null) return size.lines === 0 ? null : { line, column: nextColumn };
  const nextLine = rowAfterKey(key, from?.line ?? null, size.lines, size.pageLines);
  return nextLine === null ? null : { line: nextLine, column };
}
