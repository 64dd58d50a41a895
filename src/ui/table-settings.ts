/** Column widths, hidden columns and sort order of each table. The key is the table's label. */
import { useSyncExternalStore } from 'react';

export type SortOrder = {
  readonly columnId: string;
  readonly direction: 'ascending' | 'descending';
};

export type TableSettings = {
  /** Widths in CSS pixels of the columns that the user resized. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  /** Sort order that the user chose; null for the order of the caller. */
  readonly sort: SortOrder | null;
};

const NO_SETTINGS: TableSettings = { widths: {}, hidden: [], sort: null };

type Tables = ReadonlyMap<string, TableSettings>;
type TableStorage = { readonly read: () => Tables; readonly write: (tables: Tables) => unknown };

const listeners = new Set<() => void>();
/** Where the settings are stored; null to lose them when the page is closed. */
let storage: TableStorage | null = null;
let tables: Tables | null = null;

/** Stores the settings of all tables in `kept`. */
export function keepTables(kept: TableStorage): void {
  storage = kept;
  tables = null;
}

function current(): Tables {
  tables ??= storage?.read() ?? new Map();
  return tables;
}

/** Reads and writes the stored settings. `parse` ignores invalid entries. */
export const TABLES_SCHEMA = {
  parse: (json: unknown): Tables =>
    typeof json === 'object' && json !== null
      ? new Map(Object.entries(json).map(([label, entry]) => [label, settingsOf(entry)]))
      : new Map(),
  format: (all: Tables): unknown =>
    Object.fromEntries([...all].filter(([, settings]) => isChanged(settings))),
};

function settingsOf(entry: unknown): TableSettings {
  if (typeof entry !== 'object' || entry === null) return NO_SETTINGS;
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

/** Minimum width of a column in CSS pixels. A narrower column is too hard to grab. */
export const LEAST_WIDTH = 40;

export function setTable(label: string, patch: Partial<TableSettings>): void {
  const next = new Map(current());
  next.set(label, { ...tableSettings(label), ...patch });
  tables = next;
  storage?.write(next);
  for (const listener of listeners) listener();
}

function isChanged({ widths, hidden, sort }: TableSettings): boolean {
  return hidden.length > 0 || Object.keys(widths).length > 0 || sort !== null;
}

export function tableSettings(label: string): TableSettings {
  return current().get(label) ?? NO_SETTINGS;
}

/** Returns the settings of a table. A React hook that follows changes. */
export function useTableSettings(label: string): TableSettings {
  return useSyncExternalStore(subscribe, () => tableSettings(label));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
