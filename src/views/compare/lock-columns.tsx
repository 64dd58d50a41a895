import { shiftOf } from '#analysis/compare/changes.ts';
import { type ComparedLine, isNews } from '#analysis/compare/compare-types.ts';
import { changeText, declaredLine, linePlace } from '#analysis/compare/comparison-text.ts';
import type { TypeLine } from '#analysis/compare/type-lines.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import type { StatusTone } from '#ui/tone.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './lock-columns.module.css';

type Look = { readonly sign: string; readonly tone: StatusTone | null; readonly word: string };

/** Each colour has a sign or a word too: colour must not be the only difference. */
const LOOKS: Readonly<Record<LineMark, Look>> = {
  added: { sign: '+', tone: 'ok', word: 'added' },
  removed: { sign: '−', tone: 'danger', word: 'removed' },
  changed: { sign: '~', tone: 'warning', word: 'changed' },
  inside: { sign: '·', tone: 'info', word: 'changed inside' },
  moved: { sign: '', tone: null, word: 'moved' },
  same: { sign: '', tone: null, word: 'the same' },
};

type LockColumnsOptions = {
  readonly before: TypeTable;
  readonly after: TypeTable;
  /** Whether to show offsets. Enumerators have none. */
  readonly hasPlaces: boolean;
  /** Whether a single column shows each line and its difference. */
  readonly isTight: boolean;
};

/** Returns the columns of a comparison of two types. */
export function lockColumns(
  lines: readonly ComparedLine[],
  { before, after, hasPlaces, isTight }: LockColumnsOptions,
): TableColumn[] {
  const cell = (types: TypeTable, side: TypeLine | null, line: ComparedLine) => (
    <LineCell types={types} line={side} tone={LOOKS[markOf(line)].tone} />
  );
  // On narrow screens, shows the line of `after` (or else of `before`) and the difference.
  const stacked = (line: ComparedLine) => {
    const side = line.b ?? line.a;
    return (
      <div className={styles.stack}>
        {cell(line.b === null ? before : after, side, line)}
        <Words line={line} place={side === null ? '' : linePlace(side)} />
      </div>
    );
  };
  const words = (line: ComparedLine) => <Words line={line} isBesidePlaces={hasPlaces} />;
  const place = (id: string, of: (line: ComparedLine) => TypeLine | null) =>
    hasPlaces
      ? [column<ComparedLine>(id, 'Offset', 78, (line) => placeCell(line, of(line)), NUMBER)]
      : [];
  const side = { grow: 3, mono: true };
  const columns: RowColumn<ComparedLine>[] = isTight
    ? [column('line', 'Line and difference', 240, stacked, { grow: 1, mono: true })]
    : [
        ...place('offset-before', ({ a }) => a),
        column('before', 'Before', 170, (line) => cell(before, line.a, line), side),
        ...place('offset-after', ({ b }) => b),
        column('after', 'After', 170, (line) => cell(after, line.b, line), side),
        column('words', 'Difference', 170, words, { grow: 2 }),
      ];
  return rowColumns((row) => lines[row], [column('sign', '±', 36, signCell), ...columns]);
}

function signCell(line: ComparedLine) {
  const { sign, tone, word } = LOOKS[markOf(line)];
  return sign === '' ? null : (
    <span className={styles.sign} data-tone={tone ?? undefined} role="img" aria-label={word}>
      {sign}
    </span>
  );
}

function placeCell({ changes }: ComparedLine, side: TypeLine | null) {
  if (side === null) return null;
  const isMoved = changes.some(({ what }) => what === 'moved');
  return (
    <span className={styles.place} data-moved={isMoved ? '' : undefined}>
      {linePlace(side)}
    </span>
  );
}

type WordsProps = {
  readonly line: ComparedLine;
  readonly place?: string;
  /** Whether the offsets of both sides are shown, so that a move is stated as a distance. */
  readonly isBesidePlaces?: boolean;
};

function Words({ line, place = '', isBesidePlaces = false }: WordsProps) {
  const mark = markOf(line);
  const words = line.changes
    .map((change) =>
      drawnName(isBesidePlaces && change.what === 'moved' ? movedWords(line) : changeText(change)),
    )
    .join('; ');
  const text = [place, words].filter((part) => part !== '').join('  ');
  return (
    <span
      className={styles.words}
      data-quiet={mark === 'moved' || mark === 'same' ? '' : undefined}
      title={text}
    >
      {text}
    </span>
  );
}

/** Returns a distance as `moved by +0x18`, or in bits if it is not a whole number of bytes. */
function movedWords({ a, b }: ComparedLine): string {
  if (a === null || b === null) return '';
  const shift = shiftOf(a, b);
  const sign = shift < 0 ? '−' : '+';
  const size = Math.abs(shift);
  if (a.role === 'param') return `moved by ${sign}${size}`;
  return size % 8 === 0
    ? `moved by ${sign}${hexText(size / 8)}`
    : `moved by ${sign}${countOf(size, 'bit')}`;
}

type LineCellProps = {
  readonly types: TypeTable;
  readonly line: TypeLine | null;
  readonly tone: StatusTone | null;
};

/** Shows the declaration of one side of a line. A side without the line is hatched. */
function LineCell({ types, line, tone }: LineCellProps) {
  if (line === null) return <div className={styles.line} data-none="" />;
  const { before, name, after } = declaredLine(types, line);
  const text = drawnName(`${before}${name}${after}`);
  const gap = name !== '' && /[\w}]$/.test(before) && line.opens === null ? ' ' : '';
  return (
    <div className={styles.line} data-tone={tone ?? undefined} title={text}>
      <span style={{ width: line.depth * 14 }} />
      <bdi className="grow shrink flex">
        <span className={styles.around}>{`${drawnName(before)}${gap}`}</span>
        <span className={styles.name}>{drawnName(name)}</span>
        <span className={styles.behind}>{drawnName(after)}</span>
      </bdi>
    </div>
  );
}

type LineMark = 'added' | 'removed' | 'changed' | 'moved' | 'inside' | 'same';

/** Returns the mark for the most important change of a line. */
export function markOf({ a, b, changes }: ComparedLine): LineMark {
  if (a === null) return 'added';
  if (b === null) return 'removed';
  if (changes.some((change) => change.what !== 'inside' && isNews(change))) return 'changed';
  if (changes.some(({ what }) => what === 'inside')) return 'inside';
  return changes.length > 0 ? 'moved' : 'same';
}

/** Returns the indexes of the lines to show: all lines, or only those with a change. */
export function shownLines(
  lines: readonly ComparedLine[],
  onlyChanged: boolean,
): readonly number[] {
  return lines.flatMap((line, i) => (onlyChanged && markOf(line) === 'same' ? [] : [i]));
}

/** Returns the rows to stop at: lines with a difference other than a move; a hole is no member. */
export function stopsOf(
  lines: readonly ComparedLine[],
  shown: readonly number[],
): readonly number[] {
  return shown.flatMap((index, row) => {
    const line = lines[index];
    const mark = line === undefined ? 'same' : markOf(line);
    const isHole = (line?.b ?? line?.a)?.role === 'hole';
    return mark === 'same' || mark === 'moved' || isHole ? [] : [row];
  });
}

/** Returns the next or previous stop from `row`, wrapping at both ends; null without stops. */
export function stopAfter(
  stops: readonly number[],
  row: number | null,
  direction: 1 | -1,
): number | null {
  const [first] = stops;
  const last = stops.at(-1);
  if (first === undefined || last === undefined) return null;
  if (direction === 1) return stops.find((stop) => stop > (row ?? -1)) ?? first;
  return stops.findLast((stop) => stop < (row ?? Number.POSITIVE_INFINITY)) ?? last;
}
