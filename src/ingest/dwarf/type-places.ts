/** Collects where types are: the bytes of their entries, their declarations and addresses. */

import type { ByteReader } from '#bytes/byte-reader.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { attempt } from '#bytes/issue.ts';
import { DW_AT, DW_TAG } from '#formats/dwarf/constants.ts';
import { declarationOf, linesOf } from '#formats/dwarf/declarations.ts';
import { type LineFile, type LineTable, linePlaceOf } from '#formats/dwarf/line.ts';
import { startOf } from '#formats/dwarf/lists.ts';
import type { Die, DwarfUnit } from '#formats/dwarf/reader.ts';
import { SHF } from '#formats/elf/constants.ts';
import type { DwarfPlaces, DwarfSource } from '#model/dwarf.ts';
import type { SectionTable } from '#model/sections.ts';
import { childrenOf, dieOf, rowAt, type UnitRows } from './unit-rows.ts';

/** An entry: where its bytes end, and what it tells of its source and code. */
type EntryPlace = {
  readonly size: number;
  readonly tag: number;
  readonly language: number;
  readonly file: number;
  readonly line: number;
  /** True for `enum class` of C++. */
  readonly isScoped: boolean;
  /** Address of the code of a function or of a variable; null for other entries. */
  readonly address: bigint | null;
};

export class TypePlaces {
  readonly #places = new Map<number, EntryPlace>();
  readonly #files = new Map<string, number>();
  /** Files by the section and offset of the line table, which type units share. */
  readonly #tables = new WeakMap<ByteReader, Map<number, UnitFiles>>();

  /** Adds the entry at `offset` of a unit. `address` is that of a variable. */
  add(rows: UnitRows | null, offset: number, address: bigint | null = null): void {
    if (rows === null || this.#places.has(offset)) return;
    const row = rowAt(rows, offset);
    const die = row < 0 ? null : attempt([], () => dieOf(rows, row));
    if (die === null) return;
    const declared = attempt([], () => this.#declared(die)) ?? { file: 0, line: 0 };
    this.#places.set(offset, {
      size: (rows.tree.close[row] ?? 0) - (rows.tree.offset[row] ?? 0),
      tag: tagOf(rows, row),
      language: rows.language,
      ...declared,
      isScoped: attempt([], () => die.flag(DW_AT.enum_class)) ?? false,
      address: address ?? attempt([], () => startOf(die)),
    });
  }

  #declared(die: Die): { readonly file: number; readonly line: number } {
    const { unit, file, line } = declarationOf(die);
    if (file === null) return { file: 0, line };
    const place = linePlaceOf(unit);
    if (place === null) return { file: 0, line };
    const tables = getOrCreate(this.#tables, place.section, () => new Map<number, UnitFiles>());
    const path = getOrCreate(tables, place.offset, () => new UnitFiles(unit)).path(file);
    if (path === '') return { file: 0, line };
    return { file: getOrCreate(this.#files, path, () => this.#files.size + 1), line };
  }

  /** Returns the places of the types whose entries are at `dieOffset`, with `source`. */
  columns(
    dieOffset: Float64Array,
    sections: SectionTable,
    addresses: BigUint64Array,
    source: DwarfSource,
  ): DwarfPlaces {
    const count = dieOffset.length;
    const columns = {
      dieSize: new Uint32Array(count),
      tag: new Uint16Array(count),
      language: new Uint16Array(count),
      declFile: new Uint32Array(count),
      declLine: new Uint32Array(count),
      section: new Int32Array(count).fill(-1),
      sectionOffset: new Uint32Array(count),
      files: [...this.#files.keys()],
      isScoped: new Uint8Array(count),
      source,
    };
    const sectionAt = sectionFinder(sections, addresses);
    for (let row = 0; row < count; row++) {
      const place = this.#places.get(dieOffset[row] ?? -1);
      if (place === undefined) continue;
      columns.dieSize[row] = place.size;
      columns.tag[row] = place.tag;
      columns.language[row] = place.language;
      columns.declFile[row] = place.file;
      columns.declLine[row] = place.line;
      columns.isScoped[row] = place.isScoped ? 1 : 0;
      const found = place.address === null ? null : sectionAt(place.address);
      if (found === null) continue;
      columns.section[row] = found.section;
      columns.sectionOffset[row] = found.offset;
    }
    return columns;
  }
}

/** Returns the tag of an entry; that of its variant part if it has one. */
function tagOf(rows: UnitRows, row: number): number {
  const tag = rows.tree.tag[row] ?? 0;
  if (tag !== DW_TAG.structure_type) return tag;
  const [part] = childrenOf(rows, row, DW_TAG.variant_part);
  return part === undefined ? tag : DW_TAG.variant_part;
}

/** Paths of the files of a unit by their number. */
class UnitFiles {
  readonly #lines: LineTable | null;
  readonly #directory: string;
  readonly #paths = new Map<number, string>();

  constructor(unit: DwarfUnit) {
    this.#lines = linesOf(unit);
    this.#directory = attempt([], () => unit.linked.root.string(DW_AT.comp_dir)) ?? '';
  }

  /** Returns the path of a file; empty if the unit lacks it. */
  path(file: number): string {
    return getOrCreate(this.#paths, file, () => {
      const entry = this.#lines?.file(file);
      return entry == null ? '' : pathOf(entry, this.#directory);
    });
  }
}

/** Returns the path of a file, relative to the directory of the compilation if it is in it. */
function pathOf({ name, directory }: LineFile, compilation: string): string {
  if (name.startsWith('/') || directory === '' || directory === compilation) return name;
  const path = `${directory}/${name}`;
  const isInside = compilation !== '' && path.startsWith(`${compilation}/`);
  return isInside ? path.slice(compilation.length + 1) : path;
}

type SectionPlace = { readonly section: number; readonly offset: number };

/** Returns a function that finds the section with an address, of those that are in memory. */
function sectionFinder(
  sections: SectionTable,
  addresses: BigUint64Array,
): (address: bigint) => SectionPlace | null {
  const loaded: number[] = [];
  for (let index = 1; index < sections.count; index++) {
    const flags = sections.flags[index] ?? 0n;
    const isTemplate = (flags & SHF.tls) !== 0n;
    const isEmpty = sections.declaredSize[index] === 0n;
    if ((flags & SHF.alloc) !== 0n && !isTemplate && !isEmpty) loaded.push(index);
  }
  const addressOf = (index: number) => addresses[index] ?? 0n;
  loaded.sort((a, b) => Number(addressOf(a) > addressOf(b)) - Number(addressOf(a) < addressOf(b)));
  return (address) => {
    let low = 0;
    let high = loaded.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (addressOf(loaded[middle] ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    const section = loaded[low - 1];
    if (section === undefined) return null;
    const offset = address - addressOf(section);
    const size = sections.declaredSize[section] ?? 0n;
    return offset < size && offset <= 0xffffffffn ? { section, offset: Number(offset) } : null;
  };
}
