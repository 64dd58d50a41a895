/** How a person has arranged the tables: kept in the browser for each by its label. */
import { useSyncExternalStore } from 'react';

export type SortOrder = {
  readonly columnId: string;
  readonly direction: 'ascending' | 'descending';
};

export type TableSettings = {
  /** CSS pixels by column, of those that were made wider or narrower. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  /** null: as the rows come. */
  readonly sort: SortOrder | null;
};

const KEY = 'btfscope-tables';
const NONE: TableSettings = { widths: {}, hidden: [], sort: null };

const listeners = new Set<() => void>();
let tables: ReadonlyMap<string, TableSettings> | null = null;

function current(): ReadonlyMap<string, TableSettings> {
  tables ??= parseTables(readKept());
  return tables;
}

function readKept(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** What the browser has kept; anything else than settings is left out. */
export function parseTables(text: string): ReadonlyMap<string, TableSettings> {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null) return new Map();
    return new Map(Object.entries(kept).map(([label, entry]) => [label, settingsOf(entry)]));
  } catch {
    return new Map();
  }
}

function settingsOf(entry: unknown): TableSettings {
  if (typeof entry !== 'object' || entry === null) return NONE;
  const widths = 'widths' in entry && typeof entry.widths === 'object' ? entry.widths : null;
  const hidden = 'hidden' in entry && Array.isArray(entry.hidden) ? entry.hidden : [];
  const pixels = Object.entries(widths ?? {}).filter(
    (pair): pair is [string, number] => typeof pair[1] === 'number' && pair[1] >= LEAST_WIDTH,
  );
  return {
    widths: Object.fromEntries(pixels),
    hidden: hidden.filter((id) => typeof id === 'string'),
    sort: 'sort' in entry ? sortOf(entry.sort) : null,
  };
}

function sortOf(kept: unknown): SortOrder | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { columnId, direction } = { columnId: null, direction: null, ...kept };
  if (typeof columnId !== 'string') return null;
  return direction === 'ascending' || direction === 'descending' ? { columnId, direction } : null;
}

/** CSS pixels: a narrower column could not be taken hold of. */
export const LEAST_WIDTH = 40;

/** Changes the settings of the table called `label`. */
export function setTable(label: string, patch: Partial<TableSettings>): void {
  const next = new Map(current());
  next.set(label, { ...tableSettings(label), ...patch });
  tables = next;
  try {
    const kept = [...next].filter(([, settings]) => isChanged(settings));
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Storage may be full or forbidden: then they last as long as the page.
  }
  for (const listener of listeners) listener();
}

function isChanged({ widths, hidden, sort }: TableSettings): boolean {
  return hidden.length > 0 || Object.keys(widths).length > 0 || sort !== null;
}

/** The settings of the table called `label`. */
export function tableSettings(label: string): TableSettings {
  return current().get(label) ?? NONE;
}

/** As `tableSettings`; draws again when they change. */
export function useTableSettings(label: string): TableSettings {
  return useSyncExternalStore(subscribe, () => tableSettings(label));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
