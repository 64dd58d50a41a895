import { useMemo } from 'react';
import type { KernelOfAtlas } from '#analysis/atlas/atlas-names.ts';
import type { HistoryItem, NumberedForm } from '#analysis/atlas/history.ts';
import { type HistoryCell, type HistoryColumn, holeBits } from '#analysis/atlas/history-grid.ts';
import { drawnName } from '#bytes/text.ts';
import {
  CellGrid,
  type CellPlace,
  ColumnName,
  type GridCell,
  GridHeader,
  type GridLayout,
  GridLine,
} from '#ui/CellGrid.tsx';
import { grouped } from '#ui/grouped.ts';
import type { StatusTone } from '#ui/tone.ts';
import { changeOf, shortText } from '#views/parts/history/history-cells.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './HistoryGrid.module.css';

const HEADER_HEIGHT = 100;
const CELL_WIDTH = 104;
const NAME_WIDTHS = { narrow: 148, wide: 240, widest: 400 };

type HistoryGridProps = {
  readonly kernels: readonly KernelOfAtlas[];
  readonly forms: readonly NumberedForm[];
  readonly rows: readonly string[];
  readonly columns: readonly HistoryColumn[];
  /** Returns the cell for the name of a row and the index of a column. */
  readonly cellAt: (name: string, column: number) => HistoryCell;
  /** Colours of answers, the first words of items; absent if the items are no answers. */
  readonly answers: AnswerTones | undefined;
  readonly active: CellPlace | null;
  readonly onActive: (place: CellPlace) => void;
};

export type AnswerTones = Readonly<Record<string, StatusTone>>;

/** Shows a grid: a row per item, a column per kernel, with changes highlighted. */
export function HistoryGrid(props: HistoryGridProps) {
  const { kernels, forms, rows, columns, cellAt, answers, active, onActive } = props;
  const chart = useMemo(() => chartOf(forms), [forms]);
  return (
    <CellGrid
      label={answers === undefined ? 'Members in all kernels' : 'Attach points in all kernels'}
      lineCount={rows.length}
      columnCount={columns.length}
      columnWidth={CELL_WIDTH}
      headerHeight={HEADER_HEIGHT}
      nameWidths={NAME_WIDTHS}
      renderHeader={(layout) => (
        <Header
          layout={layout}
          kernels={kernels}
          columns={columns}
          chart={chart}
          isAnswers={answers !== undefined}
        />
      )}
      renderLine={(place) => {
        const name = rows[place.index] ?? '';
        return (
          <GridLine
            key={place.index}
            place={place}
            title={drawnName(name)}
            head={
              <span className="small mono ellipsis">
                <Name text={name} otherwise="(no name)" />
              </span>
            }
            cellAt={(at) => drawnCell(cellAt(name, at), columns[at]?.form === null, answers)}
            keyAt={(at) => columns[at]?.kernels[0] ?? at}
          />
        );
      }}
      active={active}
      onActive={onActive}
      onOpen={onActive}
      emptyText="It has no members"
    />
  );
}

function drawnCell(
  { item, before, state }: HistoryCell,
  isWithout: boolean,
  answers: AnswerTones | undefined,
): GridCell {
  if (item === null) {
    const isGone = state === 'removed' && !isWithout;
    return {
      tone: isGone ? 'danger' : undefined,
      shown: (
        <span className="tiny muted">
          <span aria-hidden>–</span>
          <span className="visually-hidden">{isGone ? 'gone' : 'not there'}</span>
        </span>
      ),
    };
  }
  if (answers !== undefined) {
    const [word = ''] = item.text.split(':', 1);
    const shown = <span className="tiny ellipsis">{word}</span>;
    return { tone: answers[word], title: drawnName(item.text), shown };
  }
  const was = state === 'moved' || state === 'changed' ? before : null;
  const change = changeOf(state);
  return {
    tone: change?.tone,
    title: [
      drawnName(item.text),
      ...(was === null ? [] : [`before: ${whereText(was)}${drawnName(was.text)}`]),
    ].join('\n'),
    shown: (
      <span className="tiny mono ellipsis">
        {shortText(item)}
        {change === undefined ? null : <span className="visually-hidden">, {change.word}</span>}
      </span>
    ),
  };
}

function whereText(item: HistoryItem): string {
  return item.bitOffset === null ? '' : `offset ${shortText(item)}, `;
}

type Chart = {
  /** Sizes in bytes, by form; null for functions. */
  readonly sizes: readonly (number | null)[];
  /** Bytes in holes, by form. */
  readonly holes: readonly number[];
  readonly most: number;
};

function chartOf(forms: readonly NumberedForm[]): Chart {
  const sizes = forms.map(({ size }) => size);
  const holes = forms.map((form) => Math.floor((holeBits(form) ?? 0) / 8));
  return { sizes, holes, most: sizes.reduce<number>((most, size) => Math.max(most, size ?? 0), 0) };
}

type HeaderProps = Pick<HistoryGridProps, 'kernels' | 'columns'> & {
  readonly layout: GridLayout;
  readonly chart: Chart;
  readonly isAnswers: boolean;
};

/** Shows the kernels of each column, above a bar of size and holes. */
function Header({ layout, kernels, columns, chart, isAnswers }: HeaderProps) {
  return (
    <GridHeader
      {...layout}
      corner={
        <span className={styles.corner}>
          {chart.most > 0 ? 'Size, and of it holes' : ''}
          <span className="muted">{isAnswers ? 'Kind of program' : 'Offset in bytes'}</span>
        </span>
      }
    >
      {columns.slice(layout.first, layout.end).map((column, i) => {
        const at = layout.first + i;
        const names = column.kernels.map((kernel) => kernels[kernel]?.name ?? '');
        return (
          <th
            key={column.kernels[0]}
            scope="col"
            className={styles.kernel}
            data-first={column.isFirst && at > 0 ? '' : undefined}
            style={{ gridColumn: at + 2 }}
            aria-colindex={at + 2}
            title={names.map(drawnName).join('\n')}
          >
            <ColumnName>
              <bdi>{drawnName(names[0] ?? '')}</bdi>
              {names.length > 1 ? (
                <>
                  {' … '}
                  <bdi>{drawnName(names.at(-1) ?? '')}</bdi>
                </>
              ) : null}
            </ColumnName>
            <SizeBar chart={chart} column={column} />
          </th>
        );
      })}
    </GridHeader>
  );
}

function SizeBar({ chart, column }: { readonly chart: Chart; readonly column: HistoryColumn }) {
  const count = column.kernels.length > 1 ? countOf(column.kernels.length, 'kernel') : '';
  const size = chart.sizes[column.form ?? -1] ?? null;
  if (size === null) return <span className="grid gap-hair tiny soft nowrap">{count}</span>;
  const holes = chart.holes[column.form ?? -1] ?? 0;
  return (
    <span className="grid gap-hair tiny soft nowrap">
      {count}
      <span>
        {grouped(size)}
        {holes > 0 ? <span className={styles.holes}> {grouped(holes)}</span> : null}
      </span>
      <span className={styles.bar} aria-hidden style={{ width: `${(100 * size) / chart.most}%` }}>
        <span className={styles.hole} style={{ width: `${(100 * holes) / size}%` }} />
      </span>
    </span>
  );
}
