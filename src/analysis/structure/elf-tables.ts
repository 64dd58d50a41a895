/**
 * Shows the tables of an ELF file as fields: section and program headers, symbols, relocation
 * entries, words. Source: System V gABI, chapters 4 and 5; `Elf32_…` and `Elf64_…` of elf.h.
 */
import type { FileStructure } from '#analysis/fields/context.ts';
import { type FieldList, makeField } from '#analysis/fields/field.ts';
import { gabi, PROGRAM_SOURCE, RELOCATION_SOURCE } from '#analysis/fields/sources.ts';
import { type FieldSpec, structFields } from '#analysis/fields/struct-fields.ts';
import { elf, elfTypes, inRow, placeOf, table } from '#analysis/fields/table.ts';
import { symbolLabel } from '#analysis/formats/section-text.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocationName } from '#analysis/relocations/names.ts';
import type { Span } from '#bytes/span.ts';
import {
  EM,
  reservedSectionName,
  SHT,
  symbolBindingName,
  symbolTypeName,
  symbolVisibilityName,
} from '#formats/elf/constants.ts';
import { sectionFlagLetters, sectionTypeName } from '#formats/elf/section-types.ts';
import {
  type RelocIndex,
  relocIndex,
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
} from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';

const SECTIONS_SOURCE = gabi('Sections');
const SYMBOLS_SOURCE = gabi('Symbol Table');

/** Returns the section header table. Selecting an entry selects the section. */
export function sectionHeaders(structure: FileStructure, span: Span): FieldList {
  const { model } = structure;
  const { sections } = model;
  return table(span, sections.headerSize, sections.count, (i, at) =>
    makeField('entry', `[${i}] ${sectionName(sections, sectionIndex(i)) || '(no name)'}`, at, {
      cType: elf(model, 'Shdr'),
      source: SECTIONS_SOURCE,
      selection: { kind: 'section', section: sectionIndex(i) },
      parts: () => structFields(placeOf(structure, at, SECTIONS_SOURCE), headerFields(model, i)),
    }),
  );
}

function headerFields(model: ObjectModel, index: number): readonly FieldSpec[] {
  const { sections, machine } = model;
  const { word, wide, addr, off } = elfTypes(model);
  const number = machine?.number ?? 0;
  return inRow([
    { ...word, name: 'sh_name', meaning: () => quoted(sectionName(sections, sectionIndex(index))) },
    { ...word, name: 'sh_type', meaning: (v) => sectionTypeName(Number(v), number) },
    {
      ...wide,
      name: 'sh_flags',
      notation: 'hex',
      meaning: (v) => sectionFlagLetters(v, number),
    },
    { ...addr, name: 'sh_addr' },
    { ...off, name: 'sh_offset' },
    { ...wide, name: 'sh_size', meaning: () => 'bytes' },
    { ...word, name: 'sh_link', meaning: (v) => nameOfSection(model, v) },
    { ...word, name: 'sh_info', meaning: (v) => infoWords(model, index, v) },
    { ...wide, name: 'sh_addralign' },
    { ...wide, name: 'sh_entsize', meaning: (v) => (v === 0n ? 'no table' : 'bytes of an entry') },
  ]);
}

/** Explains `sh_info`: a section index for relocations, a number of symbols for symbol tables. */
function infoWords(model: ObjectModel, index: number, value: bigint): string {
  switch (model.sections.type[index]) {
    case SHT.rel:
    case SHT.rela:
      return nameOfSection(model, value);
    case SHT.symtab:
      return 'the first symbol that is not local';
    default:
      return '';
  }
}

/** Returns the name of the section with this index, or an empty text if there is none. */
export function nameOfSection({ sections }: ObjectModel, value: bigint): string {
  return value === 0n || value >= BigInt(sections.count)
    ? ''
    : sectionName(sections, sectionIndex(Number(value)));
}

function quoted(name: string): string {
  return name === '' ? 'no name' : `"${name}"`;
}

/** Adjacent rows of a table in the model: the first row, and the number of rows. */
export type Rows = { readonly first: number; readonly count: number };

/** Returns the entries of a symbol table as fields. */
export function symbolEntries(structure: FileStructure, span: Span, rows: Rows): FieldList {
  const { model } = structure;
  return table(span, model.symbols.entrySize, rows.count, (i, at) => {
    const symbol = symbolIndex(rows.first + i);
    return makeField('entry', `[${i}] ${symbolTitle(model, symbol)}`, at, {
      cType: elf(model, 'Sym'),
      source: SYMBOLS_SOURCE,
      selection: { kind: 'symbol', symbol },
      parts: () =>
        structFields(placeOf(structure, at, SYMBOLS_SOURCE), symbolFields(model, symbol)),
    });
  });
}

function symbolTitle(model: ObjectModel, symbol: SymbolIndex): string {
  const name = symbolName(model.symbols, symbol);
  if (name !== '') return name;
  const section = model.symbols.section[symbol] ?? 0;
  return section > 0 && symbolType(model.symbols, symbol) === SymbolType.SECTION
    ? `section ${sectionName(model.sections, sectionIndex(section))}`
    : '(no name)';
}

function symbolFields(model: ObjectModel, symbol: SymbolIndex): readonly FieldSpec[] {
  const { word, wide, addr } = elfTypes(model);
  const title = () => quoted(symbolName(model.symbols, symbol));
  const name = { ...word, name: 'st_name', meaning: title };
  const value = { ...addr, name: 'st_value' };
  const length = { ...wide, name: 'st_size', meaning: () => 'bytes' };
  const rest = [
    {
      name: 'st_info',
      cType: 'unsigned char',
      size: 1,
      notation: 'hex',
      meaning: (v: bigint) => `${binding(v)} ${kind(v)}`,
      bits: (v: bigint) => [
        { name: 'type', length: 4, meaning: kind(v) },
        { name: 'bind', length: 4, meaning: binding(v) },
      ],
    },
    {
      name: 'st_other',
      cType: 'unsigned char',
      size: 1,
      notation: 'hex',
      meaning: (v: bigint) => symbolVisibilityName(Number(v)),
      bits: (v: bigint) => [
        { name: 'visibility', length: 2, meaning: symbolVisibilityName(Number(v & 3n)) },
        { name: '', length: 6 },
      ],
    },
    {
      name: 'st_shndx',
      cType: elf(model, 'Half'),
      size: 2,
      meaning: (v: bigint) => reservedSectionName(Number(v)) ?? nameOfSection(model, v),
    },
  ] as const;
  return inRow(wide.size === 8 ? [name, ...rest, value, length] : [name, value, length, ...rest]);
}

function kind(info: bigint): string {
  return symbolTypeName(Number(info & 0xfn));
}

function binding(info: bigint): string {
  return symbolBindingName(Number(info >> 4n));
}

/** Returns the entries of a REL or RELA section as fields. */
export function relocationEntries(structure: FileStructure, span: Span, rows: Rows): FieldList {
  const { model } = structure;
  const size = model.relocations.entrySize[rows.first] ?? 0;
  return table(span, size, rows.count, (i, at) => {
    const reloc = relocIndex(rows.first + i);
    const isRela = size === (model.addressBits / 8) * 3;
    return makeField('entry', `[${i}] ${entryTitle(model, reloc)}`, at, {
      cType: elf(model, isRela ? 'Rela' : 'Rel'),
      source: RELOCATION_SOURCE,
      selection: { kind: 'relocation', reloc },
      parts: () =>
        structFields(
          placeOf(structure, at, RELOCATION_SOURCE),
          relocationFields(model, () => relocationMeaning(model, reloc), isRela),
        ),
    });
  });
}

/** Returns the entries of a REL or RELA section that are not in the model, from their bytes alone. */
export function unlistedEntries(
  structure: FileStructure,
  span: Span,
  section: SectionIndex,
  symbols: Rows | undefined,
): FieldList {
  const { model } = structure;
  const isRela = model.sections.type[section] === SHT.rela;
  const size = (model.addressBits / 8) * (isRela ? 3 : 2);
  const namesOf = isMips64El(model)
    ? () => NO_NAMES
    : (info: bigint) => entryNames(model, info, symbols);
  return table(span, size, Math.floor((span.end - span.start) / size), (i, at) =>
    makeField('entry', `[${i}]`, at, {
      cType: elf(model, isRela ? 'Rela' : 'Rel'),
      source: RELOCATION_SOURCE,
      parts: () =>
        structFields(
          placeOf(structure, at, RELOCATION_SOURCE),
          relocationFields(model, namesOf, isRela),
        ),
    }),
  );
}

/** Texts of the two parts of `r_info`. */
type EntryNames = { readonly typeName: string; readonly symbolText: string };

const NO_NAMES: EntryNames = { typeName: '', symbolText: '' };

/** Returns what `r_info` says. `symbols`: rows of the table that the section links to. */
function entryNames(model: ObjectModel, info: bigint, symbols: Rows | undefined): EntryNames {
  const typeBits = typeBitsOf(model);
  const type = Number(BigInt.asUintN(typeBits, info));
  const number = Number(info >> BigInt(typeBits));
  const isNamed = symbols !== undefined && number > 0 && number < symbols.count;
  return {
    typeName: relocationName(model.machine?.number ?? 0, type, model.addressBits) ?? `type ${type}`,
    symbolText: isNamed ? symbolLabel(model, symbolIndex(symbols.first + number)) : '',
  };
}

function typeBitsOf({ addressBits }: ObjectModel): number {
  return addressBits === 64 ? 32 : 8;
}

/** Returns type and target. For a section symbol, the target is the content at the addend. */
function entryTitle(model: ObjectModel, reloc: RelocIndex): string {
  const { typeName, symbolText, target } = relocationMeaning(model, reloc);
  const name = target === null || target.name === '' ? symbolText : target.name;
  return name === '' ? typeName : `${typeName} ${name}`;
}

/** Returns the 32-bit words of a section that contains section indexes and flags. */
export function wordEntries(
  structure: FileStructure,
  span: Span,
  source: string,
  meaning: (index: number, value: bigint) => string,
): FieldList {
  const count = Math.floor((span.end - span.start) / 4);
  const cType = elf(structure.model, 'Word');
  return table(span, 4, count, (i, at) => {
    const word: FieldSpec = {
      name: '',
      label: `[${i}]`,
      cType,
      offset: 0,
      size: 4,
      meaning: (value) => meaning(i, value),
    };
    const made = structFields(placeOf(structure, at, source), [word]).at(0);
    return made ?? makeField('field', `[${i}]`, at);
  });
}

/**
 * Returns the fields of a relocation entry with symbol and type of `r_info`. In little-endian
 * MIPS64 `r_info` has four single bytes ("64-bit ELF Object File Specification", section 2.9).
 */
function relocationFields(
  model: ObjectModel,
  namesOf: (info: bigint) => EntryNames,
  isRela: boolean,
): readonly FieldSpec[] {
  const { addr } = elfTypes(model);
  const { size } = addr;
  const offset: FieldSpec = {
    ...addr,
    name: 'r_offset',
    offset: 0,
    meaning: () => 'bytes from the start of the section',
  };
  const addend: FieldSpec = {
    name: 'r_addend',
    cType: elf(model, size === 8 ? 'Sxword' : 'Sword'),
    offset: 2 * size,
    size,
    notation: 'signed',
    meaning: () => 'A',
  };
  const info = isMips64El(model) ? mipsInfo(namesOf(0n)) : [plainInfo(model, namesOf)];
  return [offset, ...info, ...(isRela ? [addend] : [])];
}

function isMips64El(model: ObjectModel): boolean {
  return model.machine?.number === EM.mips && model.addressBits === 64 && model.endian === 'little';
}

function plainInfo(model: ObjectModel, namesOf: (info: bigint) => EntryNames): FieldSpec {
  const { addressBits } = model;
  const typeBits = typeBitsOf(model);
  const { wide } = elfTypes(model);
  return {
    ...wide,
    name: 'r_info',
    offset: wide.size,
    notation: 'hex',
    meaning: (value) => {
      const { typeName, symbolText } = namesOf(value);
      return `${typeName}${symbolText === '' ? '' : `, ${symbolText}`}`;
    },
    bits: (value) => {
      const { typeName, symbolText } = namesOf(value);
      return [
        { name: 'type', length: typeBits, meaning: typeName },
        { name: 'sym', length: addressBits - typeBits, meaning: symbolText || 'no symbol' },
      ];
    },
  };
}

function mipsInfo({ typeName, symbolText }: EntryNames): FieldSpec[] {
  const byte = (name: string, offset: number, meaning = ''): FieldSpec => ({
    name,
    cType: 'unsigned char',
    offset,
    size: 1,
    meaning: () => meaning,
  });
  return [
    { name: 'r_sym', cType: 'Elf64_Word', offset: 8, size: 4, meaning: () => symbolText },
    byte('r_ssym', 12),
    byte('r_type3', 13),
    byte('r_type2', 14),
    byte('r_type', 15, typeName),
  ];
}

const SEGMENTS = ['NULL', 'LOAD', 'DYNAMIC', 'INTERP', 'NOTE', 'SHLIB', 'PHDR', 'TLS'];

/** Returns the program header table at `span`; each entry has `size` bytes. */
export function programHeaders(structure: FileStructure, span: Span, size: number): FieldList {
  const { model } = structure;
  const count = size === 0 ? 0 : Math.floor((span.end - span.start) / size);
  const needed = model.addressBits === 64 ? 56 : 32;
  return table(span, size, size < needed ? 0 : count, (i, at) =>
    makeField('entry', `segment [${i}]`, at, {
      cType: elf(model, 'Phdr'),
      source: PROGRAM_SOURCE,
      parts: () => structFields(placeOf(structure, at, PROGRAM_SOURCE), segmentFields(model)),
    }),
  );
}

function segmentFields(model: ObjectModel): readonly FieldSpec[] {
  const { word, wide, addr, off } = elfTypes(model);
  const type = { ...word, name: 'p_type', meaning: (v: bigint) => SEGMENTS[Number(v)] ?? '' };
  const flags = { ...word, name: 'p_flags', meaning: flagsOfSegment };
  const places = [
    { ...off, name: 'p_offset' },
    { ...addr, name: 'p_vaddr' },
    { ...addr, name: 'p_paddr' },
    { ...wide, name: 'p_filesz' },
    { ...wide, name: 'p_memsz' },
  ];
  const align = { ...wide, name: 'p_align' };
  return inRow(
    model.addressBits === 64 ? [type, flags, ...places, align] : [type, ...places, flags, align],
  );
}

function flagsOfSegment(value: bigint): string {
  return ['X', 'W', 'R'].filter((_, i) => ((value >> BigInt(i)) & 1n) === 1n).join(' ');
}
