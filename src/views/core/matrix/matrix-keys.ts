import { rowAfterKey } from '#ui/list-keys.ts';
import { columnAfterKey } from '#ui/table-columns.ts';

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

/** Id of a cell in the page; `idPrefix` is that of the table. */
export function cellId(idPrefix: string, line: number, column: number): string {
  return `${idPrefix}${line}c${column}`;
}
