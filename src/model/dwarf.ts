/** Facts about the DWARF of a file, and where its types come from. */
import type { SectionIndex } from './ids.ts';

export type DwarfFacts = {
  /** Section with the entries: `.debug_info`. */
  readonly section: SectionIndex;
  /** DWARF version of the first unit; null if no unit can be read. */
  readonly version: number | null;
  /** DW_AT_producer of the first unit, not escaped; null if it has none. */
  readonly producer: string | null;
  /** Languages of the units, the first one first: `C`, `Rust`. */
  readonly languages: readonly string[];
  /** Number of units; null if they were not read, because the file has BTF. */
  readonly unitCount: number | null;
  /**
   * Offset of the entry of each type in `section`, by id minus 1; -1 for a type without one. Null
   * if the types of the model are those of BTF, or none.
   */
  readonly dieOffset: Float64Array | null;
};

/** Returns the name and version of the compiler, without its options; empty if unknown. */
export function compilerOf({ producer }: DwarfFacts): string {
  // GCC appends its options to the name.
  return producer?.split(' -', 1)[0] ?? '';
}

/** Returns `DWARF 5 of Rust and C`. */
export function dwarfTitle({ version, languages }: DwarfFacts): string {
  const numbered = version === null ? 'DWARF' : `DWARF ${version}`;
  return languages.length === 0 ? numbered : `${numbered} of ${languages.join(' and ')}`;
}
