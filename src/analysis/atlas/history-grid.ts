/** The grid of a history: kernels along one axis, members along the other. */
import { gapsBetween } from '#analysis/types/struct-layout.ts';
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { type HistoryItem, itemsByName, type NumberedForm } from './history.ts';

/** Order of the kernels: grouped by architecture and flavour, or by version. */
export const KERNEL_ORDERS = ['arch', 'version'] as const;
export type KernelOrder = (typeof KERNEL_ORDERS)[number];

/** Column of the grid: one or more kernels with the same form. */
export type HistoryColumn = {
  /** Numbers of the kernels in the atlas, ascending. */
  readonly kernels: readonly number[];
  /** Number of the kernels' form; null if the kernels lack the name. */
  readonly form: number | null;
  /** True for the first column of a group, which shows no changes. */
  readonly isFirst: boolean;
};

/** Change of an item from the previous column to this column. */
export type CellState = 'same' | 'added' | 'removed' | 'changed' | 'moved' | 'absent';

/** Returns all item names in the order of the newest form; removed items keep their place. */
export function historyRows(forms: readonly NumberedForm[]): readonly string[] {
  const next = new Map<string, string[]>();
  const known = new Set<string>();
  for (const form of forms.toReversed()) {
    let before = '';
    for (const { name } of form.items) {
      const key = `=${name}`;
      if (!known.has(key)) {
        known.add(key);
        const followers = next.get(before) ?? [];
        // Items of a later form follow items that only earlier forms have.
        next.set(before, [key, ...followers]);
      }
      before = key;
    }
  }
  return inOrder(next);
}

/** Returns all keys, each before its followers. A loop avoids deep recursion. */
function inOrder(next: ReadonlyMap<string, readonly string[]>): string[] {
  const rows: string[] = [];
  const left = [...(next.get('') ?? [])].reverse();
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    rows.push(key.slice(1));
    for (const follower of (next.get(key) ?? []).toReversed()) left.push(follower);
  }
  return rows;
}

/** Returns the columns of the grid. `isFolded` merges adjacent kernels with the same form. */
export function historyColumns(
  kernels: readonly KernelInfo[],
  forms: readonly NumberedForm[],
  { order, isFolded }: { readonly order: KernelOrder; readonly isFolded: boolean },
): readonly HistoryColumn[] {
  const formOf = new Map(forms.flatMap((form, i) => form.kernels.map((kernel) => [kernel, i])));
  const group = ({ arch, flavour }: KernelInfo) => (order === 'arch' ? `${arch} ${flavour}` : '');
  const numbered = kernels.map((kernel, number) => ({ number, group: group(kernel) }));
  numbered.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.number - b.number));
  const columns: (HistoryColumn & { readonly group: string; readonly kernels: number[] })[] = [];
  for (const { number, group: own } of numbered) {
    const form = formOf.get(number) ?? null;
    const last = columns.at(-1);
    const isFirst = last?.group !== own;
    if (isFolded && last !== undefined && !isFirst && last.form === form) last.kernels.push(number);
    else columns.push({ kernels: [number], form, isFirst, group: own });
  }
  return columns;
}

export type HistoryCell = {
  readonly item: HistoryItem | null;
  readonly state: CellState;
  /** The item in the previous column; null if that column lacks it or is in another group. */
  readonly before: HistoryItem | null;
};

/** Returns a function that returns the cell of item `name` in a column. */
export function historyCells(
  forms: readonly NumberedForm[],
  columns: readonly HistoryColumn[],
): (name: string, column: number) => HistoryCell {
  const items = forms.map(itemsByName);
  const itemAt = (name: string, column: HistoryColumn | undefined) =>
    items[column?.form ?? -1]?.get(name) ?? null;
  return (name, at) => {
    const column = columns[at];
    const item = itemAt(name, column);
    const isFirst = column === undefined || column.isFirst;
    const before = isFirst ? null : itemAt(name, columns[at - 1]);
    return { item, before, state: stateOf(item, before, isFirst) };
  };
}

function stateOf(
  item: HistoryItem | null,
  before: HistoryItem | null,
  isFirst: boolean,
): CellState {
  if (item === null) return before === null ? 'absent' : 'removed';
  if (isFirst) return 'same';
  if (before === null) return 'added';
  if (item.text !== before.text) return 'changed';
  return item.bitOffset === before.bitOffset ? 'same' : 'moved';
}

/** Returns the number of bits in a struct that no member covers; null for items without offsets. */
export function holeBits({ size, items }: NumberedForm): number | null {
  if (size === null || items.some(({ bitOffset }) => bitOffset === null)) return null;
  const members = items.map(({ bitOffset, bits }) => ({ bitOffset: bitOffset ?? 0, bits }));
  const { holeBits: inHoles, paddingBits } = gapsBetween(size, members);
  return inHoles + paddingBits;
}
