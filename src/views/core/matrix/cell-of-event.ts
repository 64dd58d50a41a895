import type { SyntheticEvent } from 'react';
import { rowOfEvent } from '#ui/row-of-event.ts';
import type { CellPlace } from './matrix-keys.ts';

/** The cell that the event happened in; null outside of cells, and on a control of its own within one. */
export function cellOfEvent(event: SyntheticEvent): CellPlace | null {
  const line = rowOfEvent(event);
  if (line === null || !(event.target instanceof Element)) return null;
  const column = event.target.closest('[data-column]')?.getAttribute('data-column');
  return column === undefined || column === null ? null : { line, column: Number(column) };
}
