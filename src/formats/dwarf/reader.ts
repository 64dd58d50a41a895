/**
 * Reads units and entries of DWARF 2 to 5. Entries are named by their offset in `.debug_info`;
 * `.debug_types` of DWARF 4 follows it, so its first byte has the offset `info.length`.
 *
 * Readers throw `Malformed` for damaged bytes, so callers catch it for each unit. No read recurses;
 * memory and work are in proportion to the size of the sections.
 */

import { append } from '#bytes/arrays.ts';
import type { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue, Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import { AbbrevTables } from './abbrevs.ts';
import { DW_AT, DW_UT } from './constants.ts';
import { Die } from './die.ts';
import { DwarfCursor } from './leb128.ts';
import { type Contribution, readPackageIndex, WHOLE } from './package-index.ts';
import { StringReader } from './strings.ts';
import { readUnitHeaders, type UnitHeader } from './units.ts';
import { ValuePlaces } from './value-places.ts';

export type { Die };

/** Sections of a file by their names without `.debug_`, unpacked and with relocations applied. */
export type DwarfSections = {
  readonly info: ByteReader;
  readonly abbrev: ByteReader;
} & { readonly [Name in OptionalSection]?: ByteReader | undefined };

/** Names of the sections that a file may lack, without `.debug_`. */
export const OPTIONAL_SECTIONS = [
  'types',
  'str',
  'line_str',
  'str_offsets',
  'addr',
  'line',
  'ranges',
  'rnglists',
  'loc',
  'loclists',
  'cu_index',
  'tu_index',
] as const;

export type OptionalSection = (typeof OPTIONAL_SECTIONS)[number];

/** Entries of a unit in the order of the file. Row 0 is the entry of the unit. */
export type DieTree = {
  readonly count: number;
  /** Offset of each entry from the header of the unit. */
  readonly offset: Uint32Array;
  /** DW_TAG of each entry. */
  readonly tag: Uint32Array;
  /** Row after the last entry below each entry: its next sibling, if it has one. */
  readonly end: Uint32Array;
  /** Offset after each entry, the entries below it and the null that ends them. */
  readonly close: Uint32Array;
  /** Row of the parent; -1 for the entry of the unit. */
  readonly parent: Int32Array;
};

/** Skeletons of split units, which have their addresses, by the id of both. */
export type Skeletons = ReadonlyMap<bigint, DwarfUnit>;

const NO_SKELETONS: Skeletons = new Map();

/** What a file with DWARF needs of other files. */
type Around = {
  /** Sections of the file to which the forms of supplementary files lead. */
  readonly supplement?: DwarfSections | null;
  /** Offset of the first byte of `.debug_info`. */
  readonly base?: number;
  readonly skeletons?: Skeletons;
};

export class DwarfReader {
  readonly sections: DwarfSections;
  readonly units: readonly DwarfUnit[];
  /** Faults of unit headers. */
  readonly issues: readonly Issue[];
  readonly strings: StringReader;
  readonly #tables: AbbrevTables;
  readonly #places = new Map<string, ValuePlaces>();
  readonly #typeUnits = new Map<bigint, DwarfUnit>();
  /** True if the addresses of the units are in another file, the executable. */
  readonly hasAddressesElsewhere: boolean;
  /** Skeletons of the split units of this file by their id. */
  readonly skeletons: Skeletons;

  /** Offset of the first byte of `.debug_info`: 0, but for a supplement and split files. */
  readonly base: number;
  /** File with entries that several files share. Its offsets follow those of this file. */
  readonly supplement: DwarfReader | null;

  constructor(
    sections: DwarfSections,
    { supplement = null, base: start = 0, skeletons = NO_SKELETONS }: Around = {},
  ) {
    this.sections = sections;
    this.base = start;
    this.skeletons = skeletons;
    this.#tables = new AbbrevTables(sections.abbrev);
    const { info, types } = sections;
    const issues: Issue[] = [];
    this.hasAddressesElsewhere = isSplitSection(info) && sections.addr === undefined;
    const indexOf = (section: ByteReader | undefined) =>
      section === undefined ? null : attempt(issues, () => readPackageIndex(section));
    const compiled = indexOf(sections.cu_index);
    const typed = indexOf(sections.tu_index);
    const units: DwarfUnit[] = [];
    let fileBytes = 0;
    for (const name of OPTIONAL_SECTIONS) fileBytes += sections[name]?.length ?? 0;
    this.strings = new StringReader(info.length + fileBytes);
    const addUnits = (section: ByteReader, base: number, isTypes: boolean) => {
      const read = readUnitHeaders(section, isTypes);
      append(issues, read.issues);
      for (const stored of read.units) {
        const own = isTypes ? null : compiled?.get(stored.start);
        const contribution = own ?? typed?.get(stored.start) ?? WHOLE;
        const abbrevOffset = stored.abbrevOffset + contribution.abbrev;
        const header = { ...stored, abbrevOffset };
        const place = { base, index: units.length, contribution };
        const unit = new DwarfUnit(this, section, header, place);
        units.push(unit);
        if (header.typeOffset !== null && header.signature !== null) {
          this.#typeUnits.set(header.signature, unit);
        }
      }
    };
    addUnits(info, start, false);
    if (types !== undefined) addUnits(types, start + info.length, true);
    const base = start + info.length + (types?.length ?? 0);
    this.supplement = supplement === null ? null : new DwarfReader(supplement, { base });
    this.units = units;
    this.issues = issues;
  }

  /** Returns the unit that contains the byte at `offset`; null if none does. */
  unitAt(offset: number): DwarfUnit | null {
    let low = 0;
    let high = this.units.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.units[middle]?.offset ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const unit = this.units[low - 1];
    return unit !== undefined && offset < unit.endOffset ? unit : null;
  }

  /** Returns the entry at `offset`. Throws `Malformed` if none can begin there. */
  dieAt(offset: number): Die {
    const { supplement } = this;
    if (supplement !== null && offset >= supplement.base) return supplement.dieAt(offset);
    const unit = this.unitAt(offset);
    if (unit === null) {
      const { info } = this.sections;
      throw info.malformed('dwarf.reference', `${info.region}: a reference out of all units`, {
        at: [Math.min(offset, info.length), 0],
        expected: 'the offset of an entry',
        found: hexText(offset),
      });
    }
    return unit.dieAt(offset);
  }

  /** Returns the offset of the type with the signature `signature`; null if no unit has it. */
  typeWithSignature(signature: bigint): number | null {
    const unit = this.#typeUnits.get(signature);
    return unit === undefined ? null : unit.offset + (unit.header.typeOffset ?? 0);
  }

  /** Returns the value positions of a unit's abbreviations. Throws `Malformed`. */
  placesOf(header: UnitHeader): ValuePlaces {
    const { abbrevOffset, addressSize, offsetSize } = header;
    // Only the size of DW_FORM_ref_addr depends on the version, and only before DWARF 3.
    const version = header.version < 3 ? 2 : 3;
    const key = `${abbrevOffset} ${addressSize} ${offsetSize} ${version}`;
    const cached = this.#places.get(key);
    if (cached !== undefined) return cached;
    const places = new ValuePlaces(this.#tables.at(abbrevOffset), header);
    this.#places.set(key, places);
    return places;
  }
}

/** Returns true for a section of a split file. */
export function isSplitSection({ region }: ByteReader): boolean {
  return region.endsWith('.dwo');
}

/** Bases of the unit's indexes: offsets in the sections that DW_FORM_strx and others index. */
type IndexBases = {
  readonly strOffsets: number;
  readonly addr: number;
  readonly rnglists: number;
  readonly loclists: number;
};

export class DwarfUnit {
  readonly reader: DwarfReader;
  /** `.debug_info` or `.debug_types`. */
  readonly section: ByteReader;
  readonly header: UnitHeader;
  /** Offset of the first byte of `section`: 0, or the length of `.debug_info`. */
  readonly base: number;
  /** Index of the unit in `reader.units`. */
  readonly index: number;
  /** Where the parts of the unit begin in a package of split files. */
  readonly contribution: Contribution;
  #places: ValuePlaces | null = null;
  #bases: IndexBases | null = null;
  #skeleton: DwarfUnit | null | undefined;

  constructor(
    reader: DwarfReader,
    section: ByteReader,
    header: UnitHeader,
    place: {
      readonly base: number;
      readonly index: number;
      readonly contribution: Contribution;
    },
  ) {
    this.reader = reader;
    this.section = section;
    this.header = header;
    this.base = place.base;
    this.index = place.index;
    this.contribution = place.contribution;
  }

  /** Offset of the header. */
  get offset(): number {
    return this.base + this.header.start;
  }

  /** Offset after the unit. */
  get endOffset(): number {
    return this.base + this.header.end;
  }

  /** True for a type unit, also in a split file. */
  get isTypeUnit(): boolean {
    const { unitType } = this.header;
    return unitType === DW_UT.type || unitType === DW_UT.split_type;
  }

  /** Positions of values by abbreviation. Throws `Malformed` if the abbreviations are damaged. */
  get places(): ValuePlaces {
    this.#places ??= this.reader.placesOf(this.header);
    return this.#places;
  }

  /** Entry of the unit. Throws `Malformed`. */
  get root(): Die {
    return this.dieAt(this.base + this.header.firstDie);
  }

  /** DW_LANG of the unit; null if it states none. Throws `Malformed`. */
  get language(): number | null {
    return this.root.number(DW_AT.language);
  }

  /**
   * Id that a split unit and its skeleton share; null for other units. Source: DWARF 5, section
   * 7.5.1; before it, GCC's wiki, DebugFission. Throws `Malformed`.
   */
  get dwoId(): bigint | null {
    const { unitType, version, signature } = this.header;
    if (this.isTypeUnit) return null;
    if (unitType === DW_UT.skeleton || unitType === DW_UT.split_compile) return signature;
    return version < 5 ? this.root.constant(DW_AT.GNU_dwo_id) : null;
  }

  /** Skeleton of a split unit; null if it is not known. Throws `Malformed`. */
  get skeleton(): DwarfUnit | null {
    if (this.#skeleton !== undefined) return this.#skeleton;
    const { skeletons } = this.reader;
    const id = skeletons.size === 0 ? null : this.dwoId;
    this.#skeleton = id === null ? null : (skeletons.get(id) ?? null);
    return this.#skeleton;
  }

  /** The skeleton of a split unit, else the unit itself: what states code, lines and folder. */
  get linked(): DwarfUnit {
    return this.skeleton ?? this;
  }

  /** Bases of the indexes of this unit. Throws `Malformed`. */
  get bases(): IndexBases {
    if (this.#bases !== null) return this.#bases;
    // The entry of the unit may use an index before its base is known.
    const { offsetSize, version, unitType } = this.header;
    const isSplit = unitType === DW_UT.split_compile || unitType === DW_UT.split_type;
    // A split unit has no base attributes: its lists begin after the header of its section.
    const listHeader = isSplit ? (offsetSize === 8 ? 20 : 12) : 0;
    const stringsHeader = isSplit && version >= 5 ? (offsetSize === 8 ? 16 : 8) : 0;
    const { root, contribution } = this;
    const bases = {
      strOffsets: root.number(DW_AT.str_offsets_base) ?? contribution.strOffsets + stringsHeader,
      addr: root.number(DW_AT.addr_base) ?? root.number(DW_AT.GNU_addr_base) ?? 0,
      rnglists:
        root.number(DW_AT.rnglists_base) ??
        root.number(DW_AT.GNU_ranges_base) ??
        contribution.ranges + listHeader,
      loclists: root.number(DW_AT.loclists_base) ?? contribution.lists + listHeader,
    };
    this.#bases = bases;
    return bases;
  }

  /** Returns the entry at `offset`. Throws `Malformed` if none can begin there. */
  dieAt(offset: number): Die {
    const { section, header, base } = this;
    const at = offset - base;
    if (at < header.firstDie || at >= header.end) {
      throw section.malformed('dwarf.reference', `${section.region}: a reference out of the unit`, {
        at: [header.start, header.end - header.start],
        expected: `${hexText(header.firstDie)} to ${hexText(header.end - 1)}`,
        found: hexText(at),
      });
    }
    const cursor = new DwarfCursor(section, at);
    const code = cursor.uleb();
    const row = code === 0 ? -1 : this.places.table.rowOf(code);
    if (row < 0) throw unknownCode(section, at, code);
    return new Die(this, offset, row, cursor.at);
  }

  /**
   * Returns the tree of the unit's entries. Reads the unit to its end: `Malformed` for a damaged
   * entry. Missing ends of lists of children are supplied.
   */
  tree(): DieTree {
    const { section, header, places } = this;
    const { hasChildren } = places.table;
    let capacity = 64;
    let offset = new Uint32Array(capacity);
    let tag = new Uint32Array(capacity);
    let end = new Uint32Array(capacity);
    let close = new Uint32Array(capacity);
    let parent = new Int32Array(capacity);
    const cursor = new DwarfCursor(section, header.firstDie);
    let count = 0;
    let open = -1;
    while (cursor.at < header.end) {
      const start = cursor.at;
      const code = cursor.uleb();
      if (code === 0) {
        if (open < 0) break;
        end[open] = count;
        close[open] = cursor.at - header.start;
        open = parent[open] ?? -1;
        if (open < 0) break;
        continue;
      }
      const row = places.table.rowOf(code);
      if (row < 0) throw unknownCode(section, start, code);
      if (count === capacity) {
        if (capacity * MIN_MEAN_BYTES > header.end - header.start && capacity > MAX_SMALL_ENTRIES) {
          throw tooManyEntries(section, header, count);
        }
        capacity *= 2;
        offset = grown(offset, new Uint32Array(capacity));
        tag = grown(tag, new Uint32Array(capacity));
        end = grown(end, new Uint32Array(capacity));
        close = grown(close, new Uint32Array(capacity));
        parent = grown(parent, new Int32Array(capacity));
      }
      offset[count] = start - header.start;
      tag[count] = places.table.tag[row] ?? 0;
      parent[count] = open;
      end[count] = count + 1;
      places.moveToEnd(cursor, row);
      close[count] = cursor.at - header.start;
      if (hasChildren[row] === 1) open = count;
      count += 1;
      if (open < 0) break;
    }
    if (cursor.at > header.end) section.require(header.end, cursor.at - header.end, 'an entry');
    for (; open >= 0; open = parent[open] ?? -1) {
      end[open] = count;
      close[open] = cursor.at - header.start;
    }
    return {
      count,
      offset: offset.subarray(0, count),
      tag: tag.subarray(0, count),
      end: end.subarray(0, count),
      close: close.subarray(0, count),
      parent: parent.subarray(0, count),
    };
  }

  /** Returns the offset in `.debug_str` of string `index`. Throws `Malformed`. */
  stringOffset(index: number): number {
    const { offsetSize } = this.header;
    const offsets = this.required('str_offsets');
    const at = this.bases.strOffsets + index * offsetSize;
    return new DwarfCursor(offsets, at).offset(offsetSize);
  }

  /** True if the addresses of this unit are in a file that is not known. Throws `Malformed`. */
  get lacksAddresses(): boolean {
    return this.reader.hasAddressesElsewhere && this.skeleton === null;
  }

  /** Returns the address `index` in `.debug_addr`. Throws `Malformed`. */
  address(index: number): bigint {
    const { skeleton } = this;
    if (skeleton !== null) return skeleton.address(index);
    const { addressSize } = this.header;
    const at = this.bases.addr + index * addressSize;
    return new DwarfCursor(this.required('addr'), at).unsigned(addressSize);
  }

  /** Returns the string at `offset` of `.debug_str` or `.debug_line_str`. Throws `Malformed`. */
  stringAt(section: 'str' | 'line_str', offset: number): string {
    return this.reader.strings.at(this.required(section), offset);
  }

  /** Returns a section to which the unit refers. Throws `Malformed` if the file lacks it. */
  required(name: OptionalSection): ByteReader {
    const section = this.reader.sections[name];
    if (section !== undefined) return section;
    throw new Malformed({
      code: 'dwarf.section-absent',
      region: `.debug_${name}`,
      message: `The file has no section .debug_${name}`,
      span: this.section.span(this.header.start, this.header.end - this.header.start),
      expected: `a section .debug_${name}, to which a unit refers`,
      found: 'none',
    });
  }
}

/** Mean size in bytes below which many entries are refused. Compilers write 6 and more. */
const MIN_MEAN_BYTES = 2;
/** Number of entries that a unit may have in any case. */
const MAX_SMALL_ENTRIES = 1 << 20;

function tooManyEntries(section: ByteReader, header: UnitHeader, count: number): Malformed {
  const size = header.end - header.start;
  return section.malformed('dwarf.entries', `${section.region}: a unit of too many entries`, {
    at: [header.start, size],
    expected: `at most ${MAX_SMALL_ENTRIES} entries in ${size} bytes`,
    found: `more than ${count}`,
  });
}

function unknownCode(section: ByteReader, at: number, code: number): Malformed {
  return section.malformed('dwarf.abbrev-code', `${section.region}: no abbreviation ${code}`, {
    at: [at, 1],
    expected: code === 0 ? 'an entry' : 'a code of the unit’s table in .debug_abbrev',
    found: `code ${code}`,
  });
}

function grown<A extends Uint32Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
