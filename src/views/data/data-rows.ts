/** The list of data: a row for the whole file, one for each section, and under it its entries. */

import { typeExpression } from '#analysis/types/type-name.ts';
import { shortMapType } from '#analysis/values/map-types.ts';
import { keptIn } from '#bytes/keep.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { DataEntry, DataGroup } from './data-entries.ts';
import type { FoundData } from './found-data.ts';

export type DataRow =
  | { readonly kind: 'all' }
  | { readonly kind: 'group'; readonly group: DataGroup; readonly count: number }
  | { readonly kind: 'entry'; readonly group: DataGroup; readonly entry: DataEntry };

/** The rows that pass: every word of `query` stands in a name, type or section. All pass an empty one. */
export function dataRows(
  model: ObjectModel,
  groups: readonly DataGroup[],
  query: string,
): DataRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: DataRow[] = words.length === 0 ? [{ kind: 'all' }] : [];
  for (const group of groups) {
    const section = group.name.toLowerCase();
    const rest = words.filter((word) => !section.includes(word));
    const entries = group.entries.filter((entry) => {
      const text = rest.length === 0 ? '' : `${entry.name} ${typeWord(model, entry)}`.toLowerCase();
      return rest.every((word) => text.includes(word));
    });
    if (entries.length === 0 && (rest.length > 0 || group.entries.length > 0)) continue;
    rows.push({ kind: 'group', group, count: entries.length });
    for (const entry of entries) rows.push({ kind: 'entry', group, entry });
  }
  return rows;
}

/** How many entries are among the rows. */
export function entryCount(rows: readonly DataRow[]): number {
  return rows.reduce((sum, { kind }) => sum + (kind === 'entry' ? 1 : 0), 0);
}

/** The row that stands for what was found; null where the filter hides it. */
export function rowOfFound(rows: readonly DataRow[], found: FoundData | null): number | null {
  if (found === null) return null;
  const index = rows.findIndex((row) =>
    found.entry === null
      ? row.kind === 'group' && row.group === found.group
      : row.kind === 'entry' && row.entry === found.entry,
  );
  return index < 0 ? null : index;
}

const words = new WeakMap<DataEntry, string>();

/** The type as C spells it; of maps their kind; empty where nothing is known. Raw text. */
export function typeWord(model: ObjectModel, entry: DataEntry): string {
  return keptIn(words, entry, () => findWord(model, entry));
}

function findWord({ types }: ObjectModel, entry: DataEntry): string {
  switch (entry.kind) {
    case 'map':
      return shortMapType(entry.map.mapTypeName);
    case 'func':
      return 'kernel function';
    case 'variable': {
      const { type } = entry.variable;
      return types === null || type === null ? '' : typeExpression(types, type);
    }
  }
}

/** The kind whose letter the row shows; null for maps, which are no types. */
export function badgeKind(entry: DataEntry, kindOfBare: (type: number) => number): number | null {
  if (entry.kind === 'map') return null;
  if (entry.kind === 'func') return BtfKind.FUNC;
  return entry.variable.type === null ? BtfKind.UNKN : kindOfBare(entry.variable.type);
}
