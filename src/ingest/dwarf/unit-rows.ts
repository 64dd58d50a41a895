/** Entries of a unit by their row in its tree. */
import { lowerBound } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Die, DieTree, DwarfReader, DwarfUnit } from '#formats/dwarf/reader.ts';

/** A unit, its tree and its place in a batch of units. */
export type UnitRows = {
  readonly unit: DwarfUnit;
  readonly tree: DieTree;
  /** Row of the unit's first entry in the batch. */
  readonly firstRow: number;
  readonly language: number;
};

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
