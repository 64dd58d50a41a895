/** Facts about the DWARF of a file, and where its types come from. */
import type { ClassParts } from './class-parts.ts';
import type { SectionIndex, TypeId } from './ids.ts';
import type { TypeTable } from './type-table.ts';

/** What the source says of types that BTF cannot hold. Columns of types are by id minus 1. */
export type DwarfSource = {
  /** Type of the values of an enumeration, class of a pointer to a member; 0 for none. */
  readonly other: Uint32Array;
  /** Number of the name of a pointer or function type, as Rust and Go write it; 0 for none. */
  readonly spelling: Uint32Array;
  /** Names of pointers, function types and parts by number minus 1, not escaped. */
  readonly spellings: readonly string[];
  /** First item of each type, and after the last: members, enumerators, parameters as in BTF. */
  readonly firstItem: Uint32Array;
  /** Offset of the entry of each item, in another file after those of this one; -1 without one. */
  readonly itemEntry: Float64Array;
  /** Size in bytes of the entry of each item. */
  readonly itemSize: Uint16Array;
  /** `ITEM_FLAGS` of each item. */
  readonly itemFlags: Uint8Array;
  /** Value of the discriminant for a variant, by item. A variant without one has all other values. */
  readonly discriminants: ReadonlyMap<number, bigint>;
  /** Virtual base classes by type, in the order of their declaration. */
  readonly virtualBases: ReadonlyMap<number, readonly VirtualBase[]>;
  readonly parts: ClassParts;
};

export type VirtualBase = {
  readonly type: TypeId;
  /** Offset of its entry. */
  readonly entry: number;
  readonly flags: number;
};

/** Where types read from DWARF are. The columns are by id minus 1. */
export type DwarfPlaces = {
  /** Size in bytes of the entry and those below it; 0 for a type without one. */
  readonly dieSize: Uint32Array;
  /** DW_TAG of the entry, and that of its variant part if it has one; 0 for a type without one. */
  readonly tag: Uint16Array;
  /** DW_LANG of the unit; 0 if it states none. */
  readonly language: Uint16Array;
  /** Number of the file of the declaration, from 1; 0 if the entry states none. */
  readonly declFile: Uint32Array;
  /** Line of the declaration, from 1; 0 if the entry states none. */
  readonly declLine: Uint32Array;
  /** Section of the code of a function or of the bytes of a variable; -1 for other types. */
  readonly section: Int32Array;
  readonly sectionOffset: Uint32Array;
  /** Paths of files by number minus 1, relative to the directory of the compilation. */
  readonly files: readonly string[];
  /** 1 for an enumeration whose names are in its scope: `enum class` of C++. */
  readonly isScoped: Uint8Array;
  readonly source: DwarfSource;
};

export type DwarfFacts = {
  /** Section with the entries: `.debug_info`; null if a debug file beside the file has them. */
  readonly section: SectionIndex | null;
  /** Name of the debug file from which the types are, not escaped; null for the file itself. */
  readonly debugFile: string | null;
  /** DWARF version of the first unit; null if no unit can be read. */
  readonly version: number | null;
  /** DW_AT_producer of the first unit, not escaped; null if it has none. */
  readonly producer: string | null;
  /** Languages of the units, the first one first: `C`, `Rust`. */
  readonly languages: readonly string[];
  /** Number of units; null if they were not read, because the file has BTF. */
  readonly unitCount: number | null;
  /**
   * Offset of the entry of each type in `section`, by id minus 1; -1 for one without. Null
   * if the types of the model are those of BTF, or none.
   */
  readonly dieOffset: Float64Array | null;
  /** Places of the types; null where `dieOffset` is. */
  readonly places: DwarfPlaces | null;
  /** Offset of each unit in `section`; null if the units were not read. */
  readonly unitOffset: Float64Array | null;
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

/** Bits of `DwarfSource.itemFlags`. */
export const ITEM_FLAGS = {
  /** The compiler made the item: a pointer to virtual functions, `this`, a discriminant. */
  artificial: 1,
  /** The member is a base class. */
  base: 2,
  /** The base class is virtual, so the member has no place. */
  virtual: 4,
  /** The parameter is a result of a function of Go. */
  result: 8,
  /** The member is embedded in a struct of Go. */
  embedded: 16,
  /** The member is a variant of an enum of Rust. */
  variant: 32,
  /** DW_ACCESS: 1 public, 2 protected, 3 private; 0 for the default of the type. */
  access: 192,
} as const;

/** Number of bits below `ITEM_FLAGS.access`. */
export const ACCESS_SHIFT = 6;

/** Returns true if member `index` of a type is a base class of C++. */
export function isBaseClass({ places, firstId }: TypeTable, id: TypeId, index: number): boolean {
  if (places === undefined) return false;
  const { firstItem, itemFlags } = places.source;
  return ((itemFlags[(firstItem[id - firstId] ?? 0) + index] ?? 0) & ITEM_FLAGS.base) !== 0;
}
