import { goalAt, type QueryGoal } from '#analysis/query/goals.ts';
import type { QueryResult, ResultColumn } from '#analysis/query/run-query.ts';
import type { SqlValue } from '#analysis/query/table.ts';
import { drawnName } from '#bytes/text.ts';
import { cellText, isNumeric } from '#print/query-text.ts';
import type { HistogramItem } from '#ui/bars.tsx';
import { NUMBER, type TableColumn } from '#ui/table-columns.ts';
import { CutName } from '#views/parts/Name.tsx';
import { CellLink } from '#views/parts/TypeLink.tsx';

export type Rows = Extract<QueryResult, { kind: 'rows' }>;

/** CSS pixels: of a character, of the space around a cell and around a name with its arrows, and of a column. */
const CHARACTER = 8;
const SPACE = { cell: 30, head: 46 };
const WIDTHS = { least: 64, most: 420 };
/** Rows that determine the width of a column. */
const LOOKED_AT = 200;

/** Returns the columns of a result; `goTo` shows the goal of a cell. */
export function resultColumns({ columns }: Rows, goTo: (goal: QueryGoal) => void): TableColumn[] {
  const widest = columns.reduce(
    (max, one) => Math.max(max, isNumeric(one.values) ? 0 : widthOf(one)),
    0,
  );
  return columns.map((column, i) => {
    const { name, values, goals } = column;
    const isNumber = isNumeric(values);
    const width = widthOf(column);
    return {
      id: `${i} ${name}`,
      header: drawnName(name),
      width,
      ...(isNumber ? NUMBER : { grow: width === widest ? 1 : 0 }),
      cell: (row) => <Cell value={values[row] ?? null} goal={goalAt(goals, row)} goTo={goTo} />,
      by: (row) => sortable(values[row] ?? null),
    };
  });
}

function sortable(value: SqlValue) {
  return typeof value === 'boolean' ? `${value}` : value;
}

function widthOf({ name, values }: ResultColumn): number {
  const longest = values
    .slice(0, LOOKED_AT)
    .reduce<number>((max, value) => Math.max(max, cellText(value).length), 0);
  const [cell, head] = [longest * CHARACTER + SPACE.cell, name.length * CHARACTER + SPACE.head];
  return Math.round(Math.max(WIDTHS.least, Math.min(WIDTHS.most, Math.max(cell, head))));
}

type CellProps = {
  readonly value: SqlValue;
  readonly goal: QueryGoal | null;
  readonly goTo: (goal: QueryGoal) => void;
};

function Cell({ value, goal, goTo }: CellProps) {
  if (value === null) return <span className="muted">null</span>;
  const text = `${value}`;
  const shown =
    typeof value === 'string' ? <CutName text={text} otherwise="(empty)" /> : <bdi>{text}</bdi>;
  if (goal === null) return <span className="inline-row shrink fit">{shown}</span>;
  return <CellLink onClick={() => goTo(goal)}>{shown}</CellLink>;
}

/** Columns of ids and places, for which a bar has no meaning. */
const NO_BAR = /(^|_)(id|position|index|offset|insn_off)$/;

/**
 * Returns the columns that bars can be drawn of: numbers from 0 on, those that count or measure
 * first.
 */
export function barColumns({ columns }: Rows): number[] {
  const isDrawn = ({ values }: ResultColumn) =>
    values.some((value) => value !== null) &&
    isNumeric(values) &&
    values.every((value) => value === null || (value as number | bigint) >= 0);
  const drawn = [...columns.keys()].filter((i) => {
    const column = columns[i];
    return column !== undefined && isDrawn(column);
  });
  const isId = (i: number) => NO_BAR.test(columns[i]?.name ?? '');
  return [...drawn.filter((i) => !isId(i)), ...drawn.filter(isId)];
}

/** Bars of the first `most` rows, each with the texts of its row. */
export function bars({ columns, count }: Rows, of: number, most: number): HistogramItem[] {
  const texts = columns.filter(({ values }) => !isNumeric(values));
  // One file in all rows tells them not apart.
  const telling = texts.filter(({ values }) => new Set(values).size > 1);
  const named = telling.length > 0 ? telling : texts;
  return Array.from({ length: Math.min(count, most) }, (_, row) => {
    const value = columns[of]?.values[row] ?? null;
    const label = named.map(({ values }) => cellText(values[row])).filter((text) => text !== '');
    return {
      id: `${row}`,
      label: drawnName(label.join('  ')) || `Row ${row + 1}`,
      value: Number(value ?? 0),
      valueText: value === null ? 'null' : `${value}`,
    };
  });
}
