/** All relocation entries of a file as columns, in file order. */
import { type Columns, newColumns } from './columns.ts';

const COLUMNS = {
  /** Index of the section with the entry: a REL or RELA section; in eCOFF the relocated section. */
  relSection: Uint32Array,
  indexInSection: Uint32Array,
  /** Index of the section that is relocated (`sh_info`); -1 for none. */
  targetSection: Int32Array,
  /** `r_offset`: offset in bytes in the target section, or an address in linked files. */
  offset: BigUint64Array,
  /** Field `r_info` as stored. */
  info: BigUint64Array,
  /** Number of the relocation type. Compact records have `COMPACT_TYPE` added. */
  type: Uint32Array,
  /** Row in the model's symbol table; -1 if the symbol does not exist. */
  symbol: Int32Array,
  /** Number of the symbol as stored in `r_info`. */
  symbolNumber: Uint32Array,
  /** The addend: `r_addend` of RELA, or the signed value at the relocated place; 0 if unknown. */
  addend: BigInt64Array,
  /** Where `addend` comes from (see `AddendSource`). */
  addendSource: Uint8Array,
  entryOffset: Float64Array,
  /** Size of the entry in bytes: 8, 12, 16 or 24. */
  entrySize: Uint8Array,
};

export type RelocationTable = Columns<typeof COLUMNS> & { readonly count: number };

/** `explicit`: from RELA. `implicit`: from the relocated place. `unknown`: not readable. */
export const AddendSource = { explicit: 0, implicit: 1, unknown: 2 } as const;

/** Added to types of eCOFF's compact records, whose numbers other entries use as well. */
export const COMPACT_TYPE = 0x100;

/** Returns a table of `count` entries with zeros. */
export function newRelocations(count: number): RelocationTable {
  return { count, ...newColumns(COLUMNS, count) };
}

export const NO_RELOCATIONS: RelocationTable = newRelocations(0);
