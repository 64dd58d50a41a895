/** Entries of a unit by their row in its tree. */
import { lowerBound } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';
import { DW_AT, DW_LANG } from '#formats/dwarf/constants.ts';
import type { Die, DieTree, DwarfReader, DwarfUnit } from '#formats/dwarf/reader.ts';

/** A unit, its tree and its place in a batch of units. */
export type UnitRows = {
  readonly unit: DwarfUnit;
  readonly tree: DieTree;
  /** Row of the unit's first entry in the batch. */
  readonly firstRow: number;
  readonly language: number;
};

/**
 * Returns DW_LANG of a unit; 0 if it states none. Zig 0.11 states C99, but its name. Throws
 * `Malformed`.
 */
export function sourceLanguage({ root, language }: DwarfUnit): number {
  if (language !== DW_LANG.C99) return language ?? 0;
  const producer = root.string(DW_AT.producer) ?? '';
  return producer.startsWith('zig ') ? DW_LANG.Zig : language;
}

/** Returns the entry at `row`. Throws `Malformed`. */
export function dieOf({ unit, tree }: UnitRows, row: number): Die {
  return unit.dieAt(unit.offset + (tree.offset[row] ?? 0));
}

/** Returns the row of the entry at `offset`; -1 if none begins there. */
export function rowAt({ unit, tree }: UnitRows, offset: number): number {
  const own = offset - unit.offset;
  const row = lowerBound(tree.offset, own);
  return tree.offset[row] === own ? row : -1;
}

/** Yields the rows of the children of an entry, all or those with a tag. */
export function* childrenOf({ tree }: UnitRows, row: number, tag?: number): Generator<number> {
  const end = tree.end[row] ?? 0;
  for (let child = row + 1; child < end; child = tree.end[child] ?? end) {
    if (tag === undefined || tree.tag[child] === tag) yield child;
  }
}

/** True if entries of units may refer to entries of other units. */
export function refersAcrossUnits(reader: DwarfReader): boolean {
  return reader.units.some((unit) => {
    try {
      return unit.places.refersAcross;
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return false;
    }
  });
}
