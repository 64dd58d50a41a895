/**
 * Finds the addresses of an object's sections and symbols in a file that a linker made of it, by
 * the linker's map and by symbols of the same name, and GOT entries by what they hold.
 */
import { upperBound } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { addTo, memoized } from '#bytes/cache.ts';
import { EM, SHF, SHN, SHT, STB } from '#formats/elf/constants.ts';
import { readElfHeader } from '#formats/elf/header.ts';
import { type ProgramHeader, PT, programHeaders } from '#formats/elf/program-headers.ts';
import { type SymbolIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { AddressRanges } from './address-ranges.ts';
import type { LinkAddresses, SlotRequest } from './evaluated.ts';
import { GotEntries } from './got-entries.ts';
import type { MappedSection } from './link-map.ts';
import { matchLocals } from './match-locals.ts';
import { type MergedSection, MergedSections, SHF_MERGE, SHF_STRINGS } from './merged-sections.ts';
import { tlsBases } from './tls-bases.ts';

/** A linked file with its bytes, and the input sections of its map. */
export type LinkedFile = {
  readonly model: ObjectModel;
  readonly bytes: Uint8Array;
  /** Input sections of the object in the map, in the order of the output; empty without a map. */
  readonly mapped: readonly MappedSection[];
  /** Bytes of the object's sections with SHF_MERGE. */
  readonly mergeable: ReadonlyMap<number, Uint8Array>;
};

/** Where a section of the object is in the linked file. */
type PlacedSection = {
  readonly address: bigint;
  /** Section of the linked file; -1 if unknown. */
  readonly linkedSection: number;
  /** Offsets in the object and in the linked file; null if nothing moved inside the section. */
  readonly anchors: Anchors | null;
  /** Parts of the section, if the linker joins equal ones; else null. */
  readonly merged: MergedSection | null;
};

type Anchor = { readonly from: bigint; readonly to: bigint };

/** Anchors by offset in the object, ascending: `to[i]` belongs to `from[i]`. */
type Anchors = { readonly from: readonly bigint[]; readonly to: readonly bigint[] };

/** Returns the addresses of `object` in the linked file. */
export function linkedAddresses(object: ObjectModel, linked: LinkedFile): LinkAddresses {
  return new LinkedAddresses(object, linked);
}

class LinkedAddresses implements LinkAddresses {
  readonly #object: ObjectModel;
  readonly #linked: LinkedFile;
  readonly #machine: number;
  readonly #globals: ReadonlyMap<string, number>;
  readonly #locals: ReadonlyMap<number, number>;
  readonly #placed: readonly (PlacedSection | null)[];
  readonly #segments: readonly ProgramHeader[];
  readonly #loads: readonly ProgramHeader[];
  readonly #loadRanges: AddressRanges;
  readonly #merged: MergedSections;
  readonly #bases: ReadonlyMap<string, bigint>;
  readonly #got: GotEntries;

  constructor(object: ObjectModel, linked: LinkedFile) {
    this.#object = object;
    this.#linked = linked;
    this.#machine = object.machine?.number ?? 0;
    this.#segments = segmentsOf(linked.bytes);
    this.#loads = this.#segments.filter(({ type }) => type === PT.load);
    this.#loadRanges = new AddressRanges(
      this.#loads.map(({ vaddr, memsz }) => ({ start: vaddr, end: vaddr + memsz + 1n })),
    );
    this.#merged = new MergedSections(linked.bytes.length);
    this.#globals = globalSymbols(linked.model);
    this.#locals = matchLocals(object, linked.model);
    this.#placed = this.#placeSections();
    this.#bases = this.#findBases();
    this.#got = new GotEntries(linked, this.#bases, object);
  }

  readonly place = (section: number, offset: bigint): bigint | null => {
    const placed = this.#placed[section] ?? null;
    if (placed === null) return null;
    if (placed.anchors === null) return placed.address + offset;
    const moved = movedOffset(placed.anchors, offset);
    return moved === null ? null : placed.address + moved;
  };

  readonly symbol = (symbol: SymbolIndex): bigint | null => {
    const { symbols } = this.#object;
    if (symbols.shndx[symbol] === SHN.abs) return symbols.value[symbol] ?? 0n;
    const name = symbolName(symbols, symbol);
    const address =
      (symbols.section[symbol] ?? 0) > 0
        ? this.#definedSymbol(symbol)
        : this.#undefinedSymbol(symbol, name);
    return address !== null && this.#isCompressed(symbol) ? address | 1n : address;
  };

  readonly joinedSymbol = (symbol: SymbolIndex, addend: bigint): bigint | null => {
    const { symbols } = this.#object;
    const merged = this.#placed[symbols.section[symbol] ?? 0]?.merged ?? null;
    if (merged === null) return null;
    const value = symbols.value[symbol] ?? 0n;
    if (symbolType(symbols, symbol) !== SymbolType.SECTION) return merged.addressOf(value);
    const part = merged.addressOf(value + addend);
    return part === null ? null : part - addend;
  };

  #definedSymbol(symbol: SymbolIndex): bigint | null {
    const { symbols } = this.#object;
    const value = symbols.value[symbol] ?? 0n;
    const section = symbols.section[symbol] ?? 0;
    const placed = this.#placed[section] ?? null;
    const linked = this.#linkedSymbol(symbol);
    const isMoved = placed === null || placed.anchors !== null;
    const isGlobal = symbolBinding(symbols, symbol) !== STB.local;
    if (isMoved && isGlobal && linked !== null) return this.#addressOf(linked);
    return this.place(section, value) ?? (linked === null ? null : this.#addressOf(linked));
  }

  #undefinedSymbol(symbol: SymbolIndex, name: string): bigint | null {
    if (name === '_gp_disp') return 0n;
    const base = SYMBOL_BASES[name];
    const known = base === undefined ? undefined : this.#bases.get(base);
    if (known !== undefined) return known;
    const linked = this.#linkedSymbol(symbol);
    if (linked !== null) return this.#addressOf(linked);
    return symbolBinding(this.#object.symbols, symbol) === STB.weak ? 0n : null;
  }

  /** Returns true for code of MIPS16 and microMIPS, whose addresses have bit 0 set. */
  #isCompressed(symbol: SymbolIndex): boolean {
    if (this.#machine !== EM.mips) return false;
    return ((this.#object.symbols.other[symbol] ?? 0) & STO_MICROMIPS) !== 0;
  }

  readonly size = (symbol: SymbolIndex): bigint | null => {
    const linked = this.#linkedSymbol(symbol);
    if (linked !== null) return this.#linked.model.symbols.size[linked] ?? null;
    const { symbols } = this.#object;
    return symbols.section[symbol] === 0 ? null : (symbols.size[symbol] ?? null);
  };

  readonly localEntry = (symbol: SymbolIndex): bigint => {
    const linked = this.#linkedSymbol(symbol);
    const { symbols } = linked === null ? this.#object : this.#linked.model;
    return localEntryOffset(this.#machine, symbols.other[linked ?? symbol] ?? 0);
  };

  readonly base = (name: string, symbol: SymbolIndex | null): bigint | null => {
    const known = this.#bases.get(name);
    if (known !== undefined) return known;
    if (symbol === null || (name !== 'SB' && name !== 'SEC')) return null;
    const address = this.symbol(symbol);
    if (address === null) return null;
    return name === 'SEC' ? this.#sectionStart(address) : this.#segmentStart(address);
  };

  readonly slot = (request: SlotRequest): bigint | null => {
    const name = request.symbol === null ? '' : symbolName(this.#object.symbols, request.symbol);
    return this.#got.find(request, name);
  };

  readonly linkedBytes = (section: number, offset: bigint, length: number): Uint8Array | null => {
    const address = this.place(section, offset);
    const placed = this.#placed[section] ?? null;
    if (address === null || placed === null || placed.linkedSection < 0) return null;
    const { sections } = this.#linked.model;
    const start = sections.addr[placed.linkedSection] ?? 0n;
    const inside = Number(address - start);
    const size = sections.byteLength[placed.linkedSection] ?? 0;
    if (inside < 0 || inside + length > size) return null;
    const at = (sections.fileOffset[placed.linkedSection] ?? 0) + inside;
    return this.#linked.bytes.subarray(at, at + length);
  };

  readonly dynamic = (section: number, offset: bigint): string | null => {
    const address = this.place(section, offset);
    return address === null ? null : this.#got.dynamicAt(address);
  };

  /** Returns the row of the symbol in the linked file, or null. */
  #linkedSymbol(symbol: SymbolIndex): number | null {
    const { symbols } = this.#object;
    if (symbolBinding(symbols, symbol) === STB.local) return this.#locals.get(symbol) ?? null;
    return this.#globals.get(symbolName(symbols, symbol)) ?? null;
  }

  #addressOf(row: number): bigint {
    const { symbols } = this.#linked.model;
    const value = symbols.value[row] ?? 0n;
    const isTls = symbolType(symbols, symbolIndex(row)) === SymbolType.TLS;
    return isTls ? value + (tlsSegment(this.#segments)?.vaddr ?? 0n) : value;
  }

  #placeSections(): readonly (PlacedSection | null)[] {
    const { sections } = this.#object;
    const used = new Map<string, number>();
    const byName = new Map<string, MappedSection[]>();
    for (const mapped of this.#linked.mapped) addTo(byName, mapped.name, mapped);
    return Array.from({ length: sections.count }, (_, i) => {
      const name = sectionName(sections, sectionIndex(i));
      const nth = used.get(name) ?? 0;
      used.set(name, nth + 1);
      const mapped = byName.get(name)?.[nth] ?? null;
      return i === 0 ? null : this.#placeSection(i, mapped);
    });
  }

  #placeSection(section: number, mapped: MappedSection | null): PlacedSection | null {
    const bySymbols = this.#symbolAnchors(section);
    const first = bySymbols[0];
    const address =
      mapped?.address ?? (first === undefined ? this.#onlyAddress(section) : first.to - first.from);
    if (address === null) return null;
    const linkedSection = this.#linkedSectionOf(section, mapped, address);
    const size = this.#object.sections.declaredSize[section] ?? 0n;
    const symbols = bySymbols.map(({ from, to }) => ({ from, to: to - address }));
    const merged = this.#mergedSection(section, linkedSection, address);
    const isWhole =
      (mapped === null || mapped.size === size) && symbols.every(({ from, to }) => from === to);
    const isCode = ((this.#object.sections.flags[section] ?? 0n) & SHF.execinstr) !== 0n;
    if (isWhole || !isCode) return { address, linkedSection, anchors: null, merged };
    const entries = this.#entryAnchors(section, address, mapped?.size ?? size, linkedSection);
    // Labels of compilers share a name, so that their matches may be wrong; entries cannot be.
    const certain = entries.length > 0 ? entries : symbols;
    const anchors = firstAnchors([{ from: 0n, to: 0n }, ...certain]);
    return { address, linkedSection, anchors, merged };
  }

  /** Returns the address of the linked section that has the name and the size of a section. */
  #onlyAddress(section: number): bigint | null {
    const { sections } = this.#object;
    const wanted = sectionName(sections, sectionIndex(section));
    const row = sectionsBySize(this.#linked.model).get(sizeKey(sections, section, wanted));
    return row === undefined ? null : (this.#linked.model.sections.addr[row] ?? null);
  }

  #mergedSection(section: number, linkedSection: number, address: bigint): MergedSection | null {
    const { flags, entsize } = this.#object.sections;
    const own = this.#linked.mergeable.get(section);
    const { sections } = this.#linked.model;
    if (own === undefined || linkedSection < 0 || ((flags[section] ?? 0n) & SHF_MERGE) === 0n) {
      return null;
    }
    const start = sections.addr[linkedSection] ?? 0n;
    const at = sections.fileOffset[linkedSection] ?? 0;
    return this.#merged.add({
      own,
      entrySize: Number(entsize[section] ?? 0n),
      isStrings: ((flags[section] ?? 0n) & SHF_STRINGS) !== 0n,
      section: linkedSection,
      output: this.#linked.bytes.subarray(at, at + (sections.byteLength[linkedSection] ?? 0)),
      address: start,
      from: address >= start ? Number(address - start) : 0,
    });
  }

  /** Returns the offsets of symbols of a section, with their addresses in the linked file. */
  #symbolAnchors(section: number): readonly Anchor[] {
    const { symbols } = this.#object;
    const isTls = ((this.#object.sections.flags[section] ?? 0n) & SHF.tls) !== 0n;
    const found: Anchor[] = [];
    for (const row of symbolsBySection(this.#object).get(section) ?? []) {
      const type = symbolType(symbols, symbolIndex(row));
      if (type === SymbolType.SECTION || type === SymbolType.FILE) continue;
      const linked = this.#linkedSymbol(symbolIndex(row));
      if (linked === null || isTls !== (type === SymbolType.TLS)) continue;
      const to = this.#addressOf(linked);
      const isCompressed = this.#isCompressed(symbolIndex(row));
      found.push({ from: symbols.value[row] ?? 0n, to: isCompressed ? to & ~1n : to });
    }
    return found.toSorted(byOffset);
  }

  /** Returns the offsets of entries, where the linker kept them in the file (`--emit-relocs`). */
  #entryAnchors(
    section: number,
    address: bigint,
    size: bigint,
    linkedSection: number,
  ): readonly Anchor[] {
    const own = entriesBySection(this.#object).get(section)?.inFileOrder ?? [];
    const all = entriesBySection(this.#linked.model).get(linkedSection);
    const { relocations } = this.#linked.model;
    if (all === undefined) return [];
    const first = upperBound(all.offsets, address - 1n);
    const end = upperBound(all.offsets, address + size);
    if (own.length !== end - first) return [];
    const kept = all.rows.slice(first, end).toSorted((x, y) => x - y);
    return own.map((row, i) => ({
      from: this.#object.relocations.offset[row] ?? 0n,
      to: (relocations.offset[kept[i] ?? 0] ?? 0n) - address,
    }));
  }

  #linkedSectionOf(section: number, mapped: MappedSection | null, address: bigint): number {
    const wanted = mapped?.output ?? sectionName(this.#object.sections, sectionIndex(section));
    const isLoaded = ((this.#object.sections.flags[section] ?? 0n) & SHF.alloc) !== 0n;
    const byName = sectionsByName(this.#linked.model).get(wanted) ?? -1;
    return byName >= 0 || !isLoaded ? byName : sectionAtAddress(this.#linked.model, address);
  }

  #findBases(): ReadonlyMap<string, bigint> {
    const bases = new Map<string, bigint>();
    const tls = tlsSegment(this.#segments);
    if (tls !== null) for (const [name, at] of tlsBases(this.#machine, tls)) bases.set(name, at);
    for (const [name, symbols] of BASE_SYMBOLS) {
      const row = symbols.flatMap((symbol) => this.#globals.get(symbol) ?? [])[0];
      if (row !== undefined) bases.set(name, this.#addressOf(row));
    }
    const gotName = this.#machine === EM.x86_64 || this.#machine === EM.i386 ? '.got.plt' : '.got';
    const got = this.#sectionNamed(gotName) ?? this.#sectionNamed('.got');
    if (got === null) return bases;
    if (!bases.has('GOT')) bases.set('GOT', got);
    const toc = this.#sectionNamed('.got') ?? got;
    if (!bases.has('TOC')) bases.set('TOC', toc + 0x8000n);
    const gp = GP_IN_GOT[this.#machine];
    if (gp !== undefined && !bases.has('GP')) bases.set('GP', toc + gp);
    bases.set('GP0', 0n);
    return bases;
  }

  #sectionNamed(name: string): bigint | null {
    const { model } = this.#linked;
    const section = sectionsByName(model).get(name);
    return section === undefined ? null : (model.sections.addr[section] ?? null);
  }

  #sectionStart(address: bigint): bigint | null {
    const section = sectionAtAddress(this.#linked.model, address);
    return section < 0 ? null : (this.#linked.model.sections.addr[section] ?? null);
  }

  #segmentStart(address: bigint): bigint | null {
    return this.#loads[this.#loadRanges.indexOf(address)]?.vaddr ?? null;
  }
}

/** Symbols that linkers define for a base, by the name of the base in formulas. */
const BASE_SYMBOLS: readonly (readonly [name: string, symbols: readonly string[]])[] = [
  ['GOT', ['_GLOBAL_OFFSET_TABLE_']],
  ['TOC', ['.TOC.']],
  ['GP', ['_gp', '__global_pointer$']],
  ['SDA', ['_SDA_BASE_']],
  ['SDA2', ['_SDA2_BASE_']],
  ['TGA', ['__tls_get_addr']],
];

/** Symbols that stand for a base, whatever the linked file has for them. */
export const SYMBOL_BASES: Readonly<Record<string, string>> = {
  __gnu_local_gp: 'GP',
  _gp: 'GP',
  '.TOC.': 'TOC',
  _GLOBAL_OFFSET_TABLE_: 'GOT',
};

/** Distance from the start of the GOT to the global pointer, by machine. */
const GP_IN_GOT: Readonly<Record<number, bigint>> = { [EM.mips]: 0x7ff0n, [EM.alpha]: 0x8000n };

/** Bit of `st_other` for code of microMIPS and MIPS16. */
const STO_MICROMIPS = 0x80;

/** Value of `st_other` for functions of Alpha that set up gp in their first two instructions. */
const STO_ALPHA_STD_GPLOAD = 0x88;

/**
 * Returns the distance to the entry point of calls within a module, from `st_other`. Source: ELF V2
 * ABI, section 3.4.1; BFD 2.40, elf64_alpha_relocate_section (BRSGP).
 */
export function localEntryOffset(machine: number, other: number): bigint {
  if (machine === EM.ppc64) return ((1n << BigInt((other >> 5) & 7)) >> 2n) << 2n;
  const skips = machine === EM.alpha && (other & STO_ALPHA_STD_GPLOAD) === STO_ALPHA_STD_GPLOAD;
  return skips ? 8n : 0n;
}

function segmentsOf(bytes: Uint8Array): readonly ProgramHeader[] {
  const reader = new ByteReader(bytes, 'program headers');
  return programHeaders(reader, readElfHeader(reader));
}

function tlsSegment(segments: readonly ProgramHeader[]): ProgramHeader | null {
  return segments.find(({ type }) => type === PT.tls) ?? null;
}

/** Returns the rows of global symbols by name: those of the symbol table before dynamic ones. */
function globalSymbols({ symbols, sections }: ObjectModel): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < symbols.count; row++) {
    const isStatic = sections.type[symbols.table[row] ?? 0] === SHT.symtab;
    const isDefined = symbols.shndx[row] !== SHN.undef;
    const name = symbolName(symbols, symbolIndex(row));
    if (name === '' || !isDefined) continue;
    const isLocal = symbolBinding(symbols, symbolIndex(row)) === STB.local;
    // Hidden symbols become local: any symbol is better than none.
    if (!rows.has(name) || (isStatic && !isLocal)) rows.set(name, row);
  }
  return rows;
}

/** Entries of a section in two orders. */
type SectionEntries = {
  readonly inFileOrder: readonly number[];
  /** Rows by offset, with the offset of each. */
  readonly rows: readonly number[];
  readonly offsets: readonly bigint[];
};

const entriesBySection = memoized(
  ({ relocations }: ObjectModel): ReadonlyMap<number, SectionEntries> => {
    const { count, targetSection, offset } = relocations;
    const at = (row: number) => offset[row] ?? 0n;
    const found = new Map<number, SectionEntries>();
    for (const [section, inFileOrder] of rowsByKey(count, (row) => targetSection[row] ?? -1)) {
      const rows = inFileOrder.toSorted((x, y) => (at(x) < at(y) ? -1 : Number(at(x) > at(y))));
      found.set(section, { inFileOrder, rows, offsets: rows.map(at) });
    }
    return found;
  },
);

const symbolsBySection = memoized(({ symbols }: ObjectModel) =>
  rowsByKey(symbols.count, (row) => symbols.section[row] ?? -1),
);

function rowsByKey(count: number, keyOf: (row: number) => number): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < count; row++) addTo(rows, keyOf(row), row);
  return rows;
}

/** First section of each name. */
const sectionsByName = memoized(({ sections }: ObjectModel) =>
  firstByKey(sections.count, (i) => sectionName(sections, sectionIndex(i))),
);

/** First section of each name and size. */
const sectionsBySize = memoized(({ sections }: ObjectModel) =>
  firstByKey(sections.count, (i) => sizeKey(sections, i, sectionName(sections, sectionIndex(i)))),
);

function sizeKey({ declaredSize }: ObjectModel['sections'], section: number, name: string): string {
  return `${declaredSize[section] ?? 0n} ${name}`;
}

/** Returns the first section of each key, without section 0. */
function firstByKey(count: number, keyOf: (section: number) => string): Map<string, number> {
  const first = new Map<string, number>();
  for (let i = count - 1; i > 0; i--) first.set(keyOf(i), i);
  return first;
}

const loadedRanges = memoized(
  ({ sections }: ObjectModel) =>
    new AddressRanges(
      Array.from({ length: sections.count }, (_, i) => {
        const isLoaded = i > 0 && ((sections.flags[i] ?? 0n) & SHF.alloc) !== 0n;
        const start = sections.addr[i] ?? 0n;
        return { start, end: isLoaded ? start + (sections.declaredSize[i] ?? 0n) : start };
      }),
    ),
);

/** Returns the first loaded section that contains an address, or -1. */
function sectionAtAddress(model: ObjectModel, address: bigint): number {
  return loadedRanges(model).indexOf(address);
}

function byOffset(one: Anchor, other: Anchor): number {
  return one.from < other.from ? -1 : Number(one.from > other.from);
}

/** Returns anchors by offset. Of those with one offset it returns the first in the linked section. */
function firstAnchors(anchors: readonly Anchor[]): Anchors {
  const first = new Map<bigint, bigint>();
  for (const { from, to } of anchors) {
    const known = first.get(from);
    if (known === undefined || to < known) first.set(from, to);
  }
  const sorted = Array.from(first, ([from, to]) => ({ from, to })).toSorted(byOffset);
  return { from: sorted.map(({ from }) => from), to: sorted.map(({ to }) => to) };
}

/** Returns an offset in the linked section; null if bytes may be deleted before it. */
function movedOffset({ from, to }: Anchors, offset: bigint): bigint | null {
  const next = upperBound(from, offset);
  const [start, moved] = [from[next - 1], to[next - 1]];
  if (start === undefined || moved === undefined) return null;
  if (start === offset) return moved;
  const [nextStart, nextMoved] = [from[next], to[next]];
  const isWhole =
    nextStart !== undefined && nextMoved !== undefined && nextMoved - moved === nextStart - start;
  return isWhole ? moved + (offset - start) : null;
}
