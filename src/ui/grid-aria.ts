import type { AriaAttributes } from 'react';

type GridAria = {
  readonly label: string;
  /** Data rows; the header is counted here. */
  readonly count: number;
  readonly columnCount: number;
  /** Id of the active cell, null while it is not in the page. */
  readonly activeId: string | null;
  readonly isMultiselectable?: boolean;
};

/**
 * What makes a `<table>` the grid widget of WAI-ARIA (grid pattern): one tab stop
 * that names its active cell. Rows, groups and headers have their roles from the
 * table's elements. `aria-rowindex` counts from 1 and the header is row 1.
 */
export function gridAria(grid: GridAria): AriaAttributes & { role: 'grid'; tabIndex: 0 } {
  return {
    role: 'grid',
    tabIndex: 0,
    'aria-label': grid.label,
    'aria-rowcount': grid.count + 1,
    'aria-colcount': grid.columnCount,
    'aria-activedescendant': grid.activeId ?? undefined,
    'aria-multiselectable': grid.isMultiselectable,
  };
}

/** As `gridAria`, for a `<td>`. `columnIndex` counts from 0; `isSelected` only where cells are selected by themselves. */
export function gridcellAria(
  columnIndex: number,
  isSelected?: boolean,
): AriaAttributes & { role: 'gridcell' } {
  return { role: 'gridcell', 'aria-colindex': columnIndex + 1, 'aria-selected': isSelected };
}
