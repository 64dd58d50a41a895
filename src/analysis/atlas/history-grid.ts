/** The grid of a history: kernels along one axis, members along the other. */
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { type HistoryItem, itemsByName, type NumberedForm } from './history.ts';

/** Order of the kernels: grouped by architecture and flavour, or by version. */
export const KERNEL_ORDERS = ['arch', 'version'] as const;
export type KernelOrder = (typeof KERNEL_ORDERS)[number];

/** Kernels in one column. */
export type HistoryColumn = {
  /** Numbers in the atlas, ascending. */
  readonly kernels: readonly number[];
  /** Number of the form; null if the kernels lack the name. */
  readonly form: number | null;
  /** The column is the first of its group, so it shows no changes. */
  readonly isFirst: boolean;
};

/** Change of an item from the previous column to this column. */
export type CellState = 'same' | 'added' | 'removed' | 'changed' | 'moved' | 'absent';

/** Returns the names of all items: items of the last form in that form's order, older items after their predecessor. */
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

/** Returns each key, then its followers, without recursion. */
function inOrder(next: ReadonlyMap<string, readonly string[]>): string[] {
  const rows: string[] = [];
  const left = [...(next.get('') ?? [])].reverse();
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    rows.push(key.slice(1));
    for (const follower of (next.get(key) ?? []).toReversed()) left.push(follower);
  }
  return rows;
}

/** Returns the columns; folding merges adjacent kernels with the same form. */
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
  /** The item in the previous column. */
  readonly before: HistoryItem | null;
};

/** Returns the cells of a row, by column. */
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

/** Returns the bits of a struct that no member covers; null if the items of the form have no offsets. */
export function holeBits({ size, items }: NumberedForm): number | null {
  if (size === null || items.some(({ bitOffset }) => bitOffset === null)) return null;
  const spans = items.map(
    ({ bitOffset, bits }) => [bitOffset ?? 0, (bitOffset ?? 0) + bits] as const,
  );
  spans.sort(([a], [b]) => a - b);
  let covered = 0;
  let end = 0;
  for (const [from, to] of spans) {
    if (to <= end) continue;
    covered += to - Math.max(from, end);
    end = to;
  }
  return Math.max(0, 8 * size - covered);
}
