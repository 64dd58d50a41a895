import {
  type ClipboardEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { gridAria } from './aria.tsx';
import styles from './HexGrid.module.css';
import { byteCellId, type GetBytes, type GetMarks, HexRow } from './HexRow.tsx';
import { ASCII_GAP, type ByteRange, offsetDigits, segmentInRow } from './hex-marks.ts';
import { copyText, useByteSelection } from './use-byte-selection.ts';
import { useRowWindow } from './use-row-window.ts';

const ROW_HEIGHT = 22;
const HEADER_HEIGHT = 24;
/** Few, since a row has about 25 elements. */
const OVERSCAN = 1;
const NOTE_MS = 1600;

export type HexGridProps = {
  /** Accessible name of the grid, by default "Bytes". */
  readonly label?: string;
  /** Number of bytes in the region. */
  readonly length: number;
  /** Offset of the region's first byte. All other offsets have the same origin. */
  readonly baseOffset: number;
  readonly columns: 8 | 16 | 32;
  /** Returns bytes `start` to `end` (exclusive), or null. A new function redraws the grid. */
  readonly getBytes: GetBytes;
  /** Returns the marks from `start` to `end` (exclusive). A new function redraws the grid. */
  readonly marks?: GetMarks;
  readonly selection: ByteRange | null;
  /** Offset of the active byte; null if the grid itself moves the active byte. */
  readonly cursor: number | null;
  readonly onSelect: (range: ByteRange, cursor: number) => void;
  /** Called with the offset of the byte under the pointer; null if no byte is under the pointer. */
  readonly onHover?: (offset: number | null) => void;
  /** Called when the user presses Enter or double-clicks a byte. */
  readonly onActivate?: (offset: number) => void;
  /** Offset to which the grid scrolls whenever the number changes; null for no scrolling. */
  readonly scrollTo?: number | null;
  /** Version of the bytes: a new number draws the visible bytes again. */
  readonly version: number;
};

/**
 * Draws bytes as hex and text. Arrows, PageUp, PageDown, Home and End move the active byte (Ctrl:
 * to the ends of the region). Shift extends the selection, Enter activates, Ctrl+C copies hex.
 */
export function HexGrid(props: HexGridProps) {
  const { length, baseOffset, columns, selection, onActivate, scrollTo } = props;
  const id = useId();
  const rowCount = Math.ceil(length / columns);
  const rows = useRowWindow<HTMLTableElement>({
    count: rowCount,
    rowHeight: ROW_HEIGHT,
    headerHeight: HEADER_HEIGHT,
    overscan: OVERSCAN,
  });
  const { showRow } = rows;
  const digits = offsetDigits(baseOffset + Math.max(0, length - 1));
  const { note, onCopy } = useCopy(selection, props.getBytes);
  const bytes = useByteSelection({ ...props, showRow });

  useEffect(() => {
    if (scrollTo === undefined || scrollTo === null) return;
    showRow(Math.floor((scrollTo - baseOffset) / columns), 'center');
  }, [scrollTo, baseOffset, columns, showRow]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const isFar = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter') onActivate?.(bytes.active);
    else {
      const space = { baseOffset, length, columns, pageRows: rows.pageRows };
      const next = byteAfterKey(event.key, bytes.active, space, isFar);
      if (next === null) return;
      bytes.moveTo(next, event.shiftKey);
    }
    event.preventDefault();
  };

  const drawn = [];
  for (let rowIndex = rows.first; rowIndex < rows.end; rowIndex++) {
    const start = baseOffset + rowIndex * columns;
    const rowLength = Math.min(columns, baseOffset + length - start);
    const selected = selection === null ? null : segmentInRow(selection, start, rowLength);
    const holdsActive = bytes.active >= start && bytes.active < start + rowLength;
    drawn.push(
      <HexRow
        key={rowIndex}
        idPrefix={id}
        rowIndex={rowIndex}
        top={rowIndex * ROW_HEIGHT + rows.shift}
        height={ROW_HEIGHT}
        start={start}
        length={rowLength}
        columns={columns}
        offsetDigits={digits}
        getBytes={props.getBytes}
        marks={props.marks}
        version={props.version}
        selectedFrom={selected?.fromColumn ?? 0}
        selectedTo={selected?.toColumn ?? 0}
        selectionBegins={selected?.first ?? false}
        selectionEnds={selected?.last ?? false}
        activeOffset={holdsActive ? bytes.active : null}
      />,
    );
  }
  const activeRow = Math.floor((bytes.active - baseOffset) / columns);
  const isActiveDrawn = activeRow >= rows.first && activeRow < rows.end;
  const aria = gridAria({
    label: props.label ?? 'Bytes',
    count: rowCount,
    columnCount: columns + 1,
    activeId: isActiveDrawn ? byteCellId(id, bytes.active) : null,
    isMultiselectable: true,
  });
  const header = useMemo(
    () => (
      <HexHeader
        baseOffset={baseOffset}
        columns={columns}
        offsetDigits={digits}
        height={HEADER_HEIGHT}
      />
    ),
    [baseOffset, columns, digits],
  );
  return (
    <div className={styles.frame}>
      <table
        ref={rows.scrollerRef}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onMouseDown={bytes.onMouseDown}
        onDoubleClick={bytes.onDoubleClick}
        onPointerOver={bytes.onPointerMove}
        onPointerMove={bytes.onPointerMove}
        onPointerLeave={bytes.onPointerLeave}
        {...aria}
      >
        {header}
        <tbody className={styles.rows} style={{ height: rows.height }}>
          {drawn}
        </tbody>
      </table>
      <p aria-live="polite" className={styles.note}>
        {note}
      </p>
    </div>
  );
}

/** Returns the copy handler of a grid, and a short message about the last copy. */
function useCopy(selection: ByteRange | null, getBytes: GetBytes) {
  const [note, setNote] = useState('');
  useEffect(() => {
    if (note === '') return;
    const timer = setTimeout(() => setNote(''), NOTE_MS);
    return () => clearTimeout(timer);
  }, [note]);
  const onCopy = (event: ClipboardEvent) => {
    if (selection === null) return;
    const { text, result } = copyText(selection, getBytes);
    if (text !== null) event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    setNote(result);
  };
  return { note, onCopy };
}

type HexHeaderProps = {
  readonly baseOffset: number;
  readonly columns: number;
  readonly offsetDigits: number;
  /** Height of the header in CSS pixels. */
  readonly height: number;
};

/** Draws the header of a HexGrid: the last digits of the offsets in each column. */
function HexHeader({ baseOffset, columns, offsetDigits, height }: HexHeaderProps) {
  return (
    <thead className={styles.header}>
      <tr
        className={styles.headerRow}
        aria-rowindex={1}
        style={{ height, lineHeight: `${height}px` }}
      >
        <th scope="col" className={styles.offset} aria-colindex={1}>
          <span className={styles.offsetHeader} style={{ width: `${offsetDigits + 2}ch` }}>
            Offset
          </span>
        </th>
        {Array.from({ length: columns }, (_, column) => {
          const digit = ((baseOffset + column) % columns).toString(16);
          return (
            <th key={digit} scope="col" className={styles.cell} aria-colindex={column + 2}>
              {digit.padStart(2, '0')}
            </th>
          );
        })}
        <td
          aria-hidden
          className={styles.ascii}
          style={{ width: `${columns}ch`, marginLeft: `${ASCII_GAP}ch` }}
        >
          ASCII
        </td>
      </tr>
    </thead>
  );
}

/** Returns the byte that a key moves to, or null. `isFar`: Home and End go to the region's ends. */
export function byteAfterKey(
  key: string,
  from: number,
  space: HexSpace,
  isFar: boolean,
): number | null {
  const { baseOffset, length, columns, pageRows } = space;
  if (length === 0) return null;
  const last = baseOffset + length - 1;
  const column = (from - baseOffset) % columns;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(baseOffset, from - 1);
    case 'ArrowRight':
      return Math.min(last, from + 1);
    // Up and Down do not move if there is no byte above or below.
    case 'ArrowUp':
      return from - columns >= baseOffset ? from - columns : from;
    case 'ArrowDown':
      return from + columns <= last ? from + columns : from;
    case 'PageUp':
      return Math.max(baseOffset + column, from - columns * pageRows);
    case 'PageDown': {
      const rowsBelow = Math.floor((last - from) / columns);
      return from + columns * Math.min(pageRows, rowsBelow);
    }
    case 'Home':
      return isFar ? baseOffset : from - column;
    case 'End':
      return isFar ? last : Math.min(last, from - column + columns - 1);
    default:
      return null;
  }
}

type HexSpace = {
  readonly baseOffset: number;
  readonly length: number;
  readonly columns: number;
  readonly pageRows: number;
};
