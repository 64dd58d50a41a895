/** The members as a table that can be ordered, and cut down to its holes. */
import type { MemberRow } from '#analysis/layout/member-rows.ts';
import type { SortOrder } from '#ui/VirtualTable.tsx';

/** As the struct has them. */
export const BY_OFFSET: SortOrder = { columnId: 'hex', direction: 'ascending' };

/** The order after a click on the head of a column: the other way, or for sizes the largest first. */
export function nextOrder(order: SortOrder, columnId: string): SortOrder {
  if (order.columnId !== columnId) {
    return { columnId, direction: columnId === 'size' ? 'descending' : 'ascending' };
  }
  return { columnId, direction: order.direction === 'ascending' ? 'descending' : 'ascending' };
}

/**
 * The rows in `order`: by place as they are, else of one level by size or name,
 * holes last when by name. With `onlyHoles` just holes and padding.
 */
export function orderedRows(
  rows: readonly MemberRow[],
  order: SortOrder,
  onlyHoles: boolean,
): readonly MemberRow[] {
  const shown = onlyHoles ? rows.filter((row) => row.kind !== 'member') : [...rows];
  const sign = order.direction === 'ascending' ? 1 : -1;
  if (order.columnId === 'size') shown.sort((a, b) => sign * (a.bitSize - b.bitSize));
  else if (order.columnId === 'name') shown.sort((a, b) => sign * byName(a, b));
  else if (sign === -1) shown.reverse();
  return shown;
}

function byName(a: MemberRow, b: MemberRow): number {
  if ((a.name === '') !== (b.name === '')) return a.name === '' ? 1 : -1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
