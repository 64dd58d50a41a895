/** Words and colours of what changes in a history, and the places of its items. */
import type { HistoryItem } from '#analysis/atlas/history.ts';
import type { CellState } from '#analysis/atlas/history-grid.ts';
import { drawnName } from '#bytes/text.ts';

/** Colour and word of each change from one kernel to the next. */
export const CHANGES = {
  added: { tone: 'ok', word: 'new' },
  moved: { tone: 'info', word: 'moved' },
  changed: { tone: 'warning', word: 'another type or width' },
  removed: { tone: 'danger', word: 'gone' },
} as const satisfies Partial<Record<CellState, unknown>>;

/** Returns the colour and word of a change; undefined if the state is not a change. */
export function changeOf(state: CellState) {
  return state === 'same' || state === 'absent' ? undefined : CHANGES[state];
}

/** Returns the offset `88` or `4:3` (byte and bit), or the text of an item without an offset. */
export function shortText({ bitOffset, text }: HistoryItem): string {
  if (bitOffset === null) return drawnName(text.replace(/^= /, ''));
  const bit = bitOffset % 8;
  return `${Math.floor(bitOffset / 8)}${bit === 0 ? '' : `:${bit}`}`;
}
