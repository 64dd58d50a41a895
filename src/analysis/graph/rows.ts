/** Which members of a node have a row of their own, and which are behind "n more". */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, skipModifiers, vlenOf } from '#model/type-table.ts';
import type { GraphEntry, GraphReader } from './entries.ts';

/** A member that has to have a row: the selected one, or one on the way of an access string. */
export type Forced = { readonly type: number; readonly path: readonly number[] };

/** Rows of a node that a person unfolded; more than that nobody scrolls through. */
export const ALL_ROWS = 1000;
const ROOT_ROWS = 72;
const ROOT_LEAST = 12;

/** How many rows a root asks for: all that lead somewhere, as far as that can be drawn. */
export function rootRows(entries: readonly GraphEntry[]): number {
  const linked = entries.reduce((sum, { to }) => sum + (to === null ? 0 : 1), 0);
  return Math.max(ROOT_LEAST, Math.min(ROOT_ROWS, linked));
}

/**
 * The numbers of the entries that have rows, ascending: those that lead somewhere
 * first, then the first ones, at most `limit`. A single one that would be left
 * out has its row as well, since "1 more" takes as much room. What is forced
 * takes the place of another, so that the height does not depend on it.
 */
export function rowsOf(
  reader: GraphReader,
  node: TypeId,
  limit: number,
  forced: readonly Forced[],
): number[] {
  const entries = reader.entriesOf(node);
  const count = itemCount(reader, node);
  const rows = rowCount(count, limit);
  // All of them, or the first enumerators: those lead nowhere.
  if (rows === count || entries.length === 0) return Array.from({ length: rows }, (_, i) => i);
  const wanted = forcedIn(entries, node, forced);
  const chosen = new Set<number>(wanted.slice(0, limit));
  for (let i = 0; i < entries.length && chosen.size < limit; i++) {
    if (entries[i]?.to !== null) chosen.add(i);
  }
  for (let i = 0; i < entries.length && chosen.size < limit; i++) chosen.add(i);
  return [...chosen].sort((a, b) => a - b);
}

/** How many rows `rowsOf` gives for that many items. */
function rowCount(items: number, limit: number): number {
  if (limit <= 0) return 0;
  return items <= limit + 1 ? items : limit;
}

function forcedIn(
  entries: readonly GraphEntry[],
  node: TypeId,
  forced: readonly Forced[],
): number[] {
  const own = forced.filter(({ type }) => type === node);
  if (own.length === 0) return [];
  const numbers = own.map(({ path }) => entryAt(entries, path)).filter((i) => i >= 0);
  return [...new Set(numbers)];
}

/** The number of the entry that `path` leads to or into; -1 where there is none. */
function entryAt(entries: readonly GraphEntry[], path: readonly number[]): number {
  if (path.length === 0) return -1;
  return entries.findIndex(
    (entry) =>
      entry.path.length <= path.length && entry.path.every((index, i) => index === path[i]),
  );
}

/** Items that a node lists: entries, or for an enum its enumerators, which lead nowhere. */
export function itemCount(reader: GraphReader, node: TypeId): number {
  const { types } = reader;
  const target = skipModifiers(types, node);
  const kind = kindOf(types, target);
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64
    ? vlenOf(types, target)
    : reader.entriesOf(node).length;
}
