/**
 * The outcome of one entry at a time. A table may have hundreds of thousands, of
 * which a view shows forty: only the entries of its expression are worked out
 * along with it, and kept for the layout.
 */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import type { RelocationTable } from '#formats/ecoff/relocations.ts';
import { isStackType } from './expression.ts';
import type { Layout } from './layout.ts';
import { type Outcome, relocateMembers } from './relocate.ts';
import { tableFacts } from './table-facts.ts';

type Kept = Map<RelocationTable, Map<number, Outcome>>;

const kept = new WeakMap<Layout, Kept>();

/** What entry `n` of `table` comes to under `layout`; null where there is no such entry. */
export function outcomeAt(
  file: EcoffFile,
  table: RelocationTable,
  layout: Layout,
  n: number,
): Outcome | null {
  const known = keptFor(layout, table);
  const found = known.get(n);
  if (found !== undefined) return found;
  if (n < 0 || n >= table.count) return null;
  for (const outcome of relocateMembers(file, table, layout, workedOutWith(file, table, n))) {
    known.set(outcome.n, outcome);
  }
  return known.get(n) ?? null;
}

function workedOutWith(file: EcoffFile, table: RelocationTable, n: number): readonly number[] {
  if (!isStackType((table.bits[n] ?? 0) & 0xff)) return [n];
  const { groups, groupOf } = tableFacts(file, table);
  return groups[groupOf[n] ?? -1]?.members ?? [n];
}

function keptFor(layout: Layout, table: RelocationTable): Map<number, Outcome> {
  const byTable: Kept = kept.get(layout) ?? new Map();
  kept.set(layout, byTable);
  const known = byTable.get(table) ?? new Map<number, Outcome>();
  byTable.set(table, known);
  return known;
}
