/** Relocation entries of all sections as columns, in file order: of REL and RELA sections, of any section in eCOFF. */
import { type Columns, newColumns } from './columns.ts';

const COLUMNS = {
  /** Section index of the REL/RELA section with the entry; in eCOFF, which has none, the relocated section. */
  relSection: Uint32Array,
  indexInSection: Uint32Array,
  /** Section that is relocated (`sh_info`), or -1 if there is none. */
  targetSection: Int32Array,
  /** `r_offset`: bytes from the start of the target section (an address in linked files). */
  offset: BigUint64Array,
  /** `r_info` as stored. */
  info: BigUint64Array,
  /** Number of the type; a compact record adds `COMPACT_TYPE`. */
  type: Uint32Array,
  /** Row in the symbol table of the model, or -1 if the symbol does not exist. */
  symbol: Int32Array,
  /** The symbol number as stored in `r_info`. */
  symbolNumber: Uint32Array,
  /** A: `r_addend` of RELA, or the stored value at the site of REL (sign-extended), 0 if unknown. */
  addend: BigInt64Array,
  /** Source of `addend`: see `AddendSource`. */
  addendSource: Uint8Array,
  entryOffset: Float64Array,
  /** Size of each entry in bytes: 8, 12, 16 or 24. */
  entrySize: Uint8Array,
};

export type RelocationTable = Columns<typeof COLUMNS> & { readonly count: number };

/** `explicit`: RELA. `implicit`: read from the site. `unknown`: the site is outside, or its width is unknown. */
export const AddendSource = { explicit: 0, implicit: 1, unknown: 2 } as const;

/** Offset of the types of compact records, so that no number means two types. Types of eCOFF entries are one byte. */
export const COMPACT_TYPE = 0x100;

/** Returns a table of `count` empty entries. */
export function newRelocations(count: number): RelocationTable {
  return { count, ...newColumns(COLUMNS, count) };
}

export const NO_RELOCATIONS: RelocationTable = newRelocations(0);
