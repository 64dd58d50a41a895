import { type RefObject, useLayoutEffect, useState } from 'react';
import { measuredCell } from './measured-columns.ts';

export type Columns = {
  readonly count: number;
  /** Width in CSS pixels of each column that needs no more. */
  readonly width: number;
};

/** Widths in CSS pixels of the name column: minimum and maximum. */
export type NameWidths = { readonly wide: number; readonly widest: number };

/** Widths in CSS pixels that the drawn cells need. */
export type GridNeeds = { readonly name: number; readonly columns: readonly number[] };

export type GridWidths = GridNeeds;

type SharedRoom = {
  /** Width in CSS pixels of the whole grid. */
  readonly room: number;
  /** Width in CSS pixels that a column has if nothing is cut. */
  readonly columnWidth: number;
  readonly name: NameWidths;
  readonly needs: GridNeeds;
};

/**
 * Shares the width of a grid among its columns by what their cells need. Columns that need less
 * than `columnWidth` are narrower only if that width is needed elsewhere.
 */
export function sharedWidths({ room, columnWidth, name, needs }: SharedRoom): GridWidths {
  const { wide, widest } = name;
  const wanted = [
    { need: Math.min(widest, needs.name), usual: wide, most: widest },
    ...needs.columns.map((need) => ({ need, usual: columnWidth, most: columnWidth })),
  ];
  let widths = wanted.map(({ need, usual }) => Math.min(need, usual));
  for (const limit of ['need', 'usual', 'most'] as const) {
    const lacks = wanted.map((want, at) => Math.max(0, want[limit] - (widths[at] ?? 0)));
    const free = Math.max(0, room - sum(widths));
    const share = Math.min(1, free / Math.max(1, sum(lacks)));
    widths = widths.map((width, at) => width + (lacks[at] ?? 0) * share);
  }
  const [first = wide, ...columns] = widths.map(Math.floor);
  return { name: first, columns };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

/**
 * Returns the widths that the drawn cells need; null while they are not known. Measures the cells
 * whenever their content changes, as long as `isOn`. React hook.
 */
export function useGridNeeds(
  tableRef: RefObject<HTMLTableElement | null>,
  { count: columnCount, width: columnWidth }: Columns,
  isOn: boolean,
  lineCount: number,
): GridNeeds | null {
  // Other lines or columns need other widths.
  const key = `${lineCount} ${columnCount} ${columnWidth}`;
  const [measured, setMeasured] = useState<{ readonly key: string; readonly needs: GridNeeds }>();
  useLayoutEffect(() => {
    const table = tableRef.current;
    if (table === null || !isOn) return;
    const measure = () => {
      if (table.clientWidth === 0) return;
      const needs = needsOf(table, { count: columnCount, width: columnWidth });
      setMeasured((old) => {
        if (old?.key !== key) return { key, needs };
        const next = larger(old.needs, needs);
        return next === old.needs ? old : { key, needs: next };
      });
    };
    measure();
    const observer = new MutationObserver(measure);
    observer.observe(table, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [tableRef, columnCount, columnWidth, isOn, key]);
  return isOn && measured?.key === key ? measured.needs : null;
}

/** Returns the larger width for each column, so that scrolling makes no column narrower. */
function larger(old: GridNeeds, next: GridNeeds): GridNeeds {
  const name = Math.max(old.name, next.name);
  const columns = next.columns.map((need, at) => Math.max(old.columns[at] ?? 0, need));
  const isSame = name === old.name && columns.every((need, at) => need === old.columns[at]);
  return isSame ? old : { name, columns };
}

/** Columns are not narrower than this number of CSS pixels. */
const LEAST = 64;

function needsOf(table: HTMLTableElement, { count, width: columnWidth }: Columns): GridNeeds {
  let name = 0;
  const columns = Array<number>(count).fill(LEAST);
  for (const cell of table.querySelectorAll<HTMLTableCellElement>('[aria-colindex]')) {
    const { width, lack } = measuredCell(cell);
    const need = Math.ceil(Math.max(width + lack, headingNeed(cell, columnWidth)));
    const column = Number(cell.getAttribute('aria-colindex')) - 2;
    if (column < 0) name = Math.max(name, need);
    else if (column < count) columns[column] = Math.max(columns[column] ?? LEAST, need);
  }
  return { name, columns };
}

/** Returns the width that the name of a column needs if it has several lines, or else 0. */
function headingNeed(cell: Element, columnWidth: number): number {
  const name = cell.querySelector('[data-column-name]');
  if (name === null) return 0;
  const lines = name.scrollHeight / Number.parseFloat(getComputedStyle(name).lineHeight);
  if (lines < 1.5) return 0;
  const { width } = cell.getBoundingClientRect();
  const isCut = name.scrollHeight > name.clientHeight + 1;
  return isCut
    ? width + name.clientWidth * (name.scrollHeight / name.clientHeight - 1)
    : columnWidth;
}
