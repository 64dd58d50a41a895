/** The lines of the table: groups, and under those that are not folded their records. */
import type { MatrixGroup } from '#analysis/core/matrix/groups.ts';
import { rowAfterKey } from '#ui/list-keys.ts';
import { columnAfterKey } from '#ui/table-columns.ts';

export type MatrixLine =
  | { readonly kind: 'group'; readonly group: MatrixGroup; readonly isFolded: boolean }
  | { readonly kind: 'record'; readonly row: number; readonly group: MatrixGroup };

/**
 * Lines of the rows that pass, one flag a row; a group that none of is left in is
 * left out. `isFolded` tells by the key of a group.
 */
export function matrixLines(
  groups: readonly MatrixGroup[],
  passing: Uint8Array,
  isFolded: (key: string) => boolean,
): MatrixLine[] {
  const lines: MatrixLine[] = [];
  for (const group of groups) {
    const rows = group.rows.filter((row) => passing[row] === 1);
    if (rows.length === 0) continue;
    const shown = { ...group, rows };
    const folded = isFolded(group.key);
    lines.push({ kind: 'group', group: shown, isFolded: folded });
    if (!folded) for (const row of rows) lines.push({ kind: 'record', row, group: shown });
  }
  return lines;
}

/** The line of the record at `row`, or of the group that it is folded in; null where it is not shown. */
export function lineOfRow(lines: readonly MatrixLine[], row: number): number | null {
  const found = lines.findIndex((line) =>
    line.kind === 'record' ? line.row === row : line.isFolded && line.group.rows.includes(row),
  );
  return found < 0 ? null : found;
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
