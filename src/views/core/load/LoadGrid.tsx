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
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { gridAria } from '#ui/grid-aria.ts';
import { keepFocus, rowAfterKey, rowOfEvent } from '#ui/list-keys.ts';
import { columnAfterKey } from '#ui/table-columns.ts';
import { onResize, useElementWidth } from '#ui/use-element-size.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import { useNarrow } from '#ui/ViewWidth.tsx';
import type { FactsMenu } from './KernelMenu.tsx';
import styles from './LoadGrid.module.css';
import { LoadHeader } from './LoadHeader.tsx';
import { cellId, LoadRow } from './LoadRow.tsx';
import { isFoldLine, type LoadLine } from './load-lines.ts';
import type { ShownLoad } from './use-load.ts';

const ROW_HEIGHT = 28;
const HEADER_HEIGHT = 92;
const CELL_WIDTH = 136;
const WIDE_NAMES = 420;
/** Where few columns leave room: reasons are sentences. */
const WIDEST_NAMES = 720;
const NARROW_NAMES = 196;

type LoadGridProps = Pick<ShownLoad, 'object' | 'columns' | 'matrix' | 'table'> & {
  readonly by: Grouping;
  readonly lines: readonly LoadLine[];
  readonly active: CellPlace | null;
  readonly onActive: (place: CellPlace) => void;
  readonly onFold: (line: number) => void;
  /** Leads from a cell to what it is about. */
  readonly onOpen: (place: CellPlace) => void;
  readonly menu: FactsMenu;
  /** In the header, over the lines' names. */
  readonly corner: ReactNode;
};

/**
 * The table itself: rows and cells are drawn as they come into view. Arrow keys, PageUp, PageDown,
 * Home and End move between cells. Enter folds a line that holds others, and follows any other; a
 * click on the name of a line folds it, a double click follows a cell.
 */
export function LoadGrid(props: LoadGridProps) {
  const { columns, matrix, table, by, lines, active, onActive, onFold, onOpen } = props;
  const id = useId();
  const isNarrow = useNarrow(719);
  const rows = useRowWindow<HTMLTableElement>({
    count: lines.length,
    rowHeight: ROW_HEIGHT,
    headerHeight: HEADER_HEIGHT,
  });
  const { scrollerRef, showRow } = rows;
  const room = useElementWidth(scrollerRef);
  const left = Math.min(WIDEST_NAMES, room - CELL_WIDTH * columns.length);
  const nameWidth = isNarrow ? NARROW_NAMES : Math.max(WIDE_NAMES, left);
  const seen = useColumnWindow(
    scrollerRef,
    { count: columns.length, width: CELL_WIDTH },
    nameWidth,
  );
  const template = `${nameWidth}px repeat(${columns.length}, ${CELL_WIDTH}px) minmax(0, 1fr)`;
  const width = nameWidth + CELL_WIDTH * columns.length;

  const show = ({ line, column }: CellPlace, align: 'nearest' | 'center') => {
    showRow(line, align);
    const scroller = scrollerRef.current;
    if (scroller === null || column === 0) return;
    const start = CELL_WIDTH * (column - 1);
    const room = scroller.clientWidth - nameWidth;
    if (start < scroller.scrollLeft) scroller.scrollLeft = start;
    else if (start + CELL_WIDTH > scroller.scrollLeft + room) {
      scroller.scrollLeft = start + CELL_WIDTH - room;
    }
  };
  // On return from a record its cell is scrolled into view once.
  const first = useRef(active);
  const showFirst = useRef(show);
  useEffect(() => {
    if (first.current !== null) showFirst.current(first.current, 'center');
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      if (active === null) return;
      if (isFoldLine(lines[active.line])) onFold(active.line);
      else onOpen(active);
    } else {
      const next = cellAfterKey(event.key, active, {
        lines: lines.length,
        columns: columns.length + 1,
        pageLines: rows.pageRows,
      });
      if (next === null) return;
      show(next, 'nearest');
      onActive(next);
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const place = cellOfEvent(event);
    if (place === null) return;
    onActive(place);
    if (place.column === 0 && isFoldLine(lines[place.line])) onFold(place.line);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const place = cellOfEvent(event);
    if (place !== null && !isFoldLine(lines[place.line])) onOpen(place);
  };

  const drawn: ReactNode[] = [];
  for (let index = rows.first; index < rows.end; index++) {
    const line = lines[index];
    if (line === undefined) continue;
    drawn.push(
      <LoadRow
        key={index}
        line={line}
        index={index}
        idPrefix={id}
        top={index * ROW_HEIGHT + rows.shift}
        height={ROW_HEIGHT}
        gridTemplateColumns={template}
        columns={columns}
        matrix={matrix}
        table={table}
        by={by}
        firstTarget={seen.first}
        endTarget={seen.end}
        activeColumn={active?.line === index ? active.column : null}
      />,
    );
  }
  const isActiveDrawn =
    active !== null &&
    active.line >= rows.first &&
    active.line < rows.end &&
    (active.column === 0 || (active.column > seen.first && active.column <= seen.end));
  const aria = gridAria({
    label: 'Programs and relocations on kernels',
    count: lines.length,
    columnCount: columns.length + 1,
    activeId: isActiveDrawn ? cellId(id, active.line, active.column) : null,
  });
  return (
    <div className={styles.frame}>
      <table
        ref={scrollerRef}
        className={styles.table}
        onMouseDown={keepFocus}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        {...aria}
      >
        <LoadHeader
          object={props.object}
          columns={columns}
          matrix={matrix}
          table={by === 'program' ? table : null}
          menu={props.menu}
          height={HEADER_HEIGHT}
          template={template}
          minWidth={width}
          corner={props.corner}
          firstTarget={seen.first}
          endTarget={seen.end}
        />
        <tbody className={styles.rows} style={{ height: rows.height, minWidth: width }}>
          {drawn}
        </tbody>
      </table>
      {lines.length === 0 ? (
        <p className={styles.empty} style={{ top: HEADER_HEIGHT }}>
          {by === 'program' ? 'No matching programs or relocations' : 'No matching relocations'}
        </p>
      ) : null}
    </div>
  );
}

/** The cell that the event happened in; null outside of cells, and on a control of its own within one. */
function cellOfEvent(event: SyntheticEvent): CellPlace | null {
  const line = rowOfEvent(event);
  if (line === null || !(event.target instanceof Element)) return null;
  const column = event.target.closest('[data-column]')?.getAttribute('data-column');
  return column === undefined || column === null ? null : { line, column: Number(column) };
}

type Columns = {
  readonly count: number;
  /** CSS pixels of each. */
  readonly width: number;
};

type SeenColumns = { readonly first: number; readonly end: number };

/**
 * Which columns are drawn, `first` to `end` (exclusive). Draws again when one comes into or leaves
 * sight. `covered` are the CSS pixels of the column that stays and covers the others.
 */
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

/** Columns that are drawn before they are seen, on both sides: a scroll may be faster than a frame. */
const OVERSCAN = 3;

type ColumnPlace = Columns & {
  readonly scrollLeft: number;
  /** What is left for them beside the column that stays. */
  readonly room: number;
};

/** Which of `count` columns of one width are in sight, and a few more. All lengths are CSS pixels. */
export function columnWindow({ count, width, scrollLeft, room }: ColumnPlace): SeenColumns {
  const first = Math.floor(scrollLeft / width) - OVERSCAN;
  const end = Math.ceil((scrollLeft + Math.max(0, room)) / width) + OVERSCAN;
  const clamp = (column: number) => Math.max(0, Math.min(count, column));
  return { first: clamp(first), end: clamp(end) };
}

/** A cell of the table; column 0 names the line, targets begin at 1. */
export type CellPlace = { readonly line: number; readonly column: number };

/** The cell that a key leads to; null for keys that move nowhere. `pageLines` is what PageUp and PageDown move by. */
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
