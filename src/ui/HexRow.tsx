import { memo, type ReactNode } from 'react';
import { gridcellAria } from './aria.tsx';
import { classNames } from './class-names.ts';
import styles from './HexGrid.module.css';
import {
  ASCII_GAP,
  asciiOf,
  asciiSpan,
  type ByteMark,
  byteLabel,
  type CharSpan,
  hexByte,
  hexSpan,
  hexWidth,
  OFFSET_PADDING,
  offsetText,
  type RowSegment,
  segmentInRow,
} from './hex-marks.ts';

export type GetBytes = (start: number, end: number) => Uint8Array | null;
export type GetMarks = (start: number, end: number) => readonly ByteMark[];

type HexRowProps = {
  readonly idPrefix: string;
  readonly rowIndex: number;
  /** Distance from the top of the first row in CSS pixels. */
  readonly top: number;
  readonly height: number;
  /** Offset of the row's first byte. */
  readonly start: number;
  /** Number of bytes in the row. The last row of a region can have fewer than `columns`. */
  readonly length: number;
  readonly columns: number;
  readonly offsetDigits: number;
  readonly getBytes: GetBytes;
  readonly marks: GetMarks | undefined;
  /** Version of the bytes: a new number draws the row again. */
  readonly version: number;
  /** First selected column; equal to `selectedTo` if no byte in the row is selected. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  readonly selectionBegins: boolean;
  readonly selectionEnds: boolean;
  readonly activeOffset: number | null;
};

/** Returns the id of the cell of a byte, for `aria-activedescendant`. */
export function byteCellId(idPrefix: string, offset: number): string {
  return `${idPrefix}b${offset.toString(16)}`;
}

/** Draws a row of a HexGrid: offset, hex cells, text. Memoized: only changed rows are drawn. */
export const HexRow = memo(function HexRow(props: HexRowProps) {
  const { idPrefix, rowIndex, start, length, columns } = props;
  const { selectedFrom, selectedTo } = props;
  const bytes = props.getBytes(start, start + length);
  const marks = props.marks?.(start, start + length) ?? [];
  const hex: ReactNode[] = [];
  const runs: AsciiRun[] = [];
  for (let column = 0; column < length; column++) {
    const offset = start + column;
    const byte = bytes?.[column] ?? null;
    const byteMarks = marks.filter((mark) => mark.start <= offset && offset < mark.end);
    const tone = byteMarks.at(-1)?.tone;
    const isActive = offset === props.activeOffset;
    hex.push(
      <td
        key={column}
        // Only the active cell has an id: ids for hundreds of cells would be slow.
        id={isActive ? byteCellId(idPrefix, offset) : undefined}
        className={styles.cell}
        data-offset={offset}
        data-tone={tone}
        data-dim={byte === null || byte === 0 ? '' : undefined}
        data-active={isActive ? '' : undefined}
        {...gridcellAria(column + 1, column >= selectedFrom && column < selectedTo)}
        aria-label={byteLabel(offset, byte, byteMarks)}
        title={byteMarks.length > 0 ? byteMarks.map((mark) => mark.label).join('\n') : undefined}
      >
        {byte === null ? '··' : hexByte(byte)}
      </td>,
    );
    addToRuns(runs, offset, byte, tone, isActive);
  }
  const selected: RowSegment | null =
    selectedFrom < selectedTo
      ? {
          fromColumn: selectedFrom,
          toColumn: selectedTo,
          first: props.selectionBegins,
          last: props.selectionEnds,
        }
      : null;
  const ranges = { marks, start, length, selected };
  const offsetWidth = props.offsetDigits + 2;
  const asciiOrigin = offsetWidth + hexWidth(columns) + ASCII_GAP;
  const missing = hexWidth(columns) - hexWidth(length);
  return (
    <tr
      className={styles.row}
      style={{ top: props.top, height: props.height, lineHeight: `${props.height}px` }}
      aria-rowindex={rowIndex + 2}
    >
      <th scope="row" className={styles.offset} aria-colindex={1}>
        {offsetText(start, props.offsetDigits)}
      </th>
      {hex}
      <td
        aria-hidden
        className={styles.ascii}
        style={{ width: `${columns}ch`, marginLeft: `${missing + ASCII_GAP}ch` }}
      >
        <span className={styles.pills}>
          <Pills {...ranges} origin={offsetWidth} spanOf={hexSpan} />
          <Pills {...ranges} origin={asciiOrigin} spanOf={asciiSpan} />
        </span>
        <Badges
          marks={marks}
          start={start}
          length={length}
          origin={offsetWidth}
          isUnderHeader={rowIndex === 0}
        />
        <span className={styles.text} data-offset={start} data-count={length}>
          {runs.map((run) =>
            isPlain(run) ? (
              run.text
            ) : (
              <span
                key={run.offset}
                className={styles.run}
                data-tone={run.tone}
                data-dim={run.isDim ? '' : undefined}
                data-active={run.isActive ? '' : undefined}
              >
                {run.text}
              </span>
            ),
          )}
        </span>
      </td>
    </tr>
  );
});

/** Adjacent characters of the same look. One element for the whole run keeps scrolling fast. */
type AsciiRun = {
  readonly offset: number;
  /** Characters of the run, one per byte. */
  text: string;
  readonly tone: ByteMark['tone'] | undefined;
  readonly isDim: boolean;
  readonly isActive: boolean;
};

/** Returns true for a run that needs no element of its own. */
function isPlain({ tone, isDim, isActive }: AsciiRun): boolean {
  return tone === undefined && !isDim && !isActive;
}

function addToRuns(
  runs: AsciiRun[],
  offset: number,
  byte: number | null,
  tone: ByteMark['tone'] | undefined,
  isActive: boolean,
): void {
  const text = byte === null ? ' ' : asciiOf(byte);
  const isDim = byte === null || byte < 0x20 || byte >= 0x7f;
  const last = runs.at(-1);
  const isAlike = last !== undefined && last.tone === tone && last.isDim === isDim;
  if (isAlike && !isActive && !last.isActive) last.text += text;
  else runs.push({ offset, text, tone, isDim, isActive });
}

type PillsProps = {
  readonly marks: readonly ByteMark[];
  readonly start: number;
  readonly length: number;
  readonly selected: RowSegment | null;
  /** Start of the first hex column in `ch`, measured after the padding of the offset. */
  readonly origin: number;
  readonly spanOf: (segment: RowSegment) => CharSpan;
};

/** Draws the badge of each mark before the first byte of the mark. */
function Badges(
  props: Omit<PillsProps, 'selected' | 'spanOf'> & { readonly isUnderHeader: boolean },
) {
  const { marks, start, length, origin, isUnderHeader } = props;
  const badged = marks.filter((mark) => mark.badge !== undefined && mark.start >= start);
  if (badged.length === 0) return null;
  return (
    <span className={styles.badges} data-under-header={isUnderHeader ? '' : undefined}>
      {badged.map((mark) => {
        const segment = segmentInRow(mark, start, length);
        if (segment === null) return null;
        const left = `calc(${OFFSET_PADDING}px + ${origin + hexSpan(segment).from}ch)`;
        return (
          <span key={`${mark.start}-${mark.badge}`} className={styles.badge} style={{ left }}>
            {mark.badge}
          </span>
        );
      })}
    </span>
  );
}

/** Draws the backgrounds of marked bytes: one element per mark. */
function Pills({ marks, start, length, selected, origin, spanOf }: PillsProps) {
  const place = (segment: RowSegment) => {
    const { from, to } = spanOf(segment);
    return {
      left: `calc(${OFFSET_PADDING}px + ${origin + from}ch)`,
      width: `${to - from}ch`,
    };
  };
  return (
    <>
      {marks.map((mark) => {
        const segment = segmentInRow(mark, start, length);
        if (segment === null || mark.isInk === true) return null;
        return (
          <span
            key={`${mark.start}-${mark.end}-${mark.tone}-${mark.label}`}
            className={classNames(styles.pill, mark.className)}
            style={place(segment)}
            data-tone={mark.tone}
            data-first={segment.first ? '' : undefined}
            data-last={segment.last ? '' : undefined}
          />
        );
      })}
      {selected === null ? null : (
        <span
          className={styles.selection}
          style={place(selected)}
          data-first={selected.first ? '' : undefined}
          data-last={selected.last ? '' : undefined}
        />
      )}
    </>
  );
}
