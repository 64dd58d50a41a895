/**
 * Reads the indexes of a package of split files (`.dwp`): where the parts of each unit begin in the
 * sections that all units share. Source: DWARF 5, section 7.3.5.3; before it, GCC's wiki,
 * DebugFissionDWP.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';

/** Offsets at which the parts of a unit begin, by section. */
export type Contribution = {
  readonly abbrev: number;
  readonly line: number;
  readonly lists: number;
  readonly ranges: number;
  readonly strOffsets: number;
};

export const WHOLE: Contribution = { abbrev: 0, line: 0, lists: 0, ranges: 0, strOffsets: 0 };

/** Numbers of sections (DW_SECT). TYPES is of version 2 only, RNGLISTS of version 5 only. */
const DW_SECT = {
  INFO: 1,
  TYPES: 2,
  ABBREV: 3,
  LINE: 4,
  LOCLISTS: 5,
  STR_OFFSETS: 6,
  RNGLISTS: 8,
} as const;

const HEADER_SIZE = 16;
/** Size in bytes of a slot of the hash table, which has a signature and the number of a row. */
const SLOT_SIZE = 12;

/**
 * Returns the contributions of units by the offset of the unit in `.debug_info`, or in `.debug_types`
 * for type units of version 2. Throws `Malformed` if the index is damaged.
 */
export function readPackageIndex(index: ByteReader): ReadonlyMap<number, Contribution> {
  index.require(0, HEADER_SIZE, 'the header of an index of units');
  const version = index.u32(0) === 2 ? 2 : index.u16(0);
  if (version !== 2 && version !== 5) {
    throw index.malformed('dwarf.package-version', `${index.region}: unknown version`, {
      at: [0, 4],
      expected: '2 or 5',
      found: `${version}`,
    });
  }
  const columns = index.u32(4);
  const units = index.u32(8);
  const ids = HEADER_SIZE + index.u32(12) * SLOT_SIZE;
  const row = 4 * columns;
  index.require(ids, row * (units + 1), 'the offsets of units');
  const columnOf = new Map<number, number>();
  for (let column = 0; column < columns; column++) {
    columnOf.set(index.u32(ids + 4 * column), column);
  }
  const contributions = new Map<number, Contribution>();
  const inTypes = columnOf.has(DW_SECT.TYPES) && version === 2;
  for (let unit = 1; unit <= units && columns > 0; unit++) {
    const offsetOf = (section: number) => {
      const column = columnOf.get(section);
      return column === undefined ? 0 : index.u32(ids + row * unit + 4 * column);
    };
    contributions.set(offsetOf(inTypes ? DW_SECT.TYPES : DW_SECT.INFO), {
      abbrev: offsetOf(DW_SECT.ABBREV),
      line: offsetOf(DW_SECT.LINE),
      lists: offsetOf(DW_SECT.LOCLISTS),
      ranges: version === 5 ? offsetOf(DW_SECT.RNGLISTS) : 0,
      strOffsets: offsetOf(DW_SECT.STR_OFFSETS),
    });
  }
  return contributions;
}
