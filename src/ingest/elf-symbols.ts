/** Reads all symbol tables of a file in the model's columns. */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { SHN, SHT } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { readSymbol, symbolSize, symbolSpan } from '#formats/elf/records.ts';
import type { SectionTable } from '#model/sections.ts';
import { NO_SYMBOLS, newSymbols, type SymbolTable } from '#model/symbols.ts';
import { MAX_NAME_BYTES } from './elf-sections.ts';
import {
  Allowance,
  checkTable,
  Faults,
  MAX_ROWS,
  readPieces,
  sectionFieldSpan,
  sectionLabel,
  tally,
} from './elf-tables.ts';
import type { IngestOptions } from './ingest-options.ts';

/** Rows of the model's table that belong to one symbol table of the file. */
export type SymbolRange = { readonly firstRow: number; readonly count: number };

export type SymbolsRead = {
  readonly symbols: SymbolTable;
  readonly ranges: ReadonlyMap<number, SymbolRange>;
};

/** Reads SHT_SYMTAB and SHT_DYNSYM in file order. Faults become issues. Throws only read errors. */
export async function ingestSymbols(
  source: ByteSource,
  header: ElfHeader,
  sections: SectionTable,
  issues: Issue[],
  options: IngestOptions,
): Promise<SymbolsRead> {
  const faults = new Faults();
  const rowSize = symbolSize(header.elfClass);
  const allowance = new Allowance(source.size, MAX_ROWS);
  const ranges = new Map<number, SymbolRange>();
  let total = 0;
  for (let i = 1; i < sections.count; i++) {
    if (sections.type[i] !== SHT.symtab && sections.type[i] !== SHT.dynsym) continue;
    const count = checkTable({ sections, header, index: i, rowSize, allowance, faults });
    ranges.set(i, { firstRow: total, count });
    total += count;
  }
  if (total === 0) {
    faults.report(issues);
    return { symbols: { ...NO_SYMBOLS, entrySize: rowSize }, ranges };
  }
  const strings = await readStringTables(source, header, sections, [...ranges.keys()], faults);
  const symbols = newSymbols(total, rowSize, strings.bytes);
  const extended = extendedIndexTables(sections);
  for (const [index, range] of ranges) {
    await readTable({
      source,
      header,
      sections,
      symbols,
      index,
      range,
      names: strings.of(index),
      shndxTable: extended.get(index) ?? null,
      faults,
      options,
    });
  }
  faults.report(issues);
  return { symbols, ranges };
}

type TableContext = {
  readonly source: ByteSource;
  readonly header: ElfHeader;
  readonly sections: SectionTable;
  readonly symbols: SymbolTable;
  readonly index: number;
  readonly range: SymbolRange;
  /** String table with the names; null for none. */
  readonly names: StringTable | null;
  /** Index of the section with the SHN_XINDEX values of the table; null for none. */
  readonly shndxTable: number | null;
  readonly faults: Faults;
  readonly options: IngestOptions;
};

async function readTable(context: TableContext): Promise<void> {
  const { source, header, sections, symbols, index, range, options } = context;
  const rowSize = symbols.entrySize;
  const table = {
    region: sectionLabel(sections, index),
    fileOffset: sections.fileOffset[index] ?? 0,
    count: range.count,
    rowSize,
    endian: header.endian,
  };
  for await (const piece of readPieces(source, table, options)) {
    options.onProgress?.({
      step: 'reading symbols',
      done: range.firstRow + piece.first,
      total: symbols.count,
    });
    const extended = await readExtended(context, piece.first, piece.count);
    for (let i = 0; i < piece.count; i++) {
      const row = range.firstRow + piece.first + i;
      const record = readSymbol(piece.reader, i * rowSize, header.elfClass);
      symbols.entryOffset[row] = piece.reader.fileOffset + i * rowSize;
      symbols.table[row] = index;
      symbols.indexInTable[row] = piece.first + i;
      symbols.value[row] = record.stValue;
      symbols.size[row] = record.stSize;
      symbols.info[row] = record.stInfo;
      symbols.other[row] = record.stOther;
      symbols.shndx[row] = record.stShndx;
      symbols.section[row] = sectionOf(context, row, record.stShndx, extended(i));
      symbols.nameOff[row] = nameOf(context, row, record.stName);
    }
  }
}

/** Reads SHT_SYMTAB_SHNDX words. The result returns the word of a row; null if it has none. */
async function readExtended(
  { source, header, sections, shndxTable }: TableContext,
  first: number,
  count: number,
): Promise<(row: number) => number | null> {
  if (shndxTable === null) return () => null;
  const fileOffset = sections.fileOffset[shndxTable] ?? 0;
  const end = fileOffset + (sections.byteLength[shndxTable] ?? 0);
  const start = fileOffset + first * 4;
  const bytes = start < end ? await source.read(start, Math.min(start + count * 4, end)) : EMPTY;
  const words = new ByteReader(bytes, sectionLabel(sections, shndxTable), header.endian, start);
  return (row) => (row * 4 + 4 <= words.length ? words.u32(row * 4) : null);
}

const EMPTY = new Uint8Array(0);

/** Maps the section index of each symbol table to that of its SHT_SYMTAB_SHNDX section. */
function extendedIndexTables(sections: SectionTable): ReadonlyMap<number, number> {
  const tables = new Map<number, number>();
  for (let i = 1; i < sections.count; i++) {
    const link = sections.link[i];
    if (sections.type[i] !== SHT.symtabShndx || link === undefined || tables.has(link)) continue;
    tables.set(link, i);
  }
  return tables;
}

/** Returns the section index of a symbol: 0 for undefined, -1 for reserved or missing sections. */
function sectionOf(
  context: TableContext,
  row: number,
  shndx: number,
  extended: number | null,
): number {
  const { sections, symbols } = context;
  if (shndx >= SHN.loreserve && shndx !== SHN.xindex) return -1;
  const index = shndx === SHN.xindex ? extended : shndx;
  if (index === null) {
    addFault(context, row, 'elf.no-extended-index', 'st_shndx', {
      what: 'SHN_XINDEX without .symtab_shndx',
      expected: 'a section of type SHT_SYMTAB_SHNDX with a word for each symbol',
      found: 'st_shndx 0xffff',
    });
    return -1;
  }
  if (index < sections.count) return index;
  addFault(context, row, 'elf.symbol-section-absent', 'st_shndx', {
    what: 'symbols in sections that do not exist',
    expected: `a section below ${sections.count}`,
    found: `${index} (st_shndx 0x${(symbols.shndx[row] ?? 0).toString(16)})`,
  });
  return -1;
}

/** Returns the offset of a symbol's name in the joined names of the model. */
function nameOf(context: TableContext, row: number, stName: number): number {
  const { names } = context;
  if (names === null) return NO_NAME;
  if (stName < names.length) return names.start + stName;
  if (stName !== 0) {
    addFault(context, row, 'elf.symbol-name-outside', 'st_name', {
      what: `symbol names outside ${names.label}`,
      expected: `below ${names.length}`,
      found: `0x${stName.toString(16)}`,
    });
  }
  return NO_NAME;
}

function addFault(
  { header, sections, symbols, index, faults }: TableContext,
  row: number,
  code: string,
  field: 'st_name' | 'st_shndx',
  words: { readonly what: string; readonly expected: string; readonly found: string },
): void {
  faults.add(code, () => {
    const { start, end } = symbolSpan(header.elfClass, field);
    const region = sectionLabel(sections, index);
    return {
      severity: 'warning',
      region,
      message: tally(words.what, `symbol ${symbols.indexInTable[row] ?? 0} of ${region}`),
      span: spanOf((symbols.entryOffset[row] ?? 0) + start, end - start),
      expected: words.expected,
      found: words.found,
    };
  });
}

/** Offset after all joined names, which stands for an empty name. */
const NO_NAME = 0xffffffff;

type StringTable = {
  /** Offset of the table in the joined names. */
  readonly start: number;
  readonly length: number;
  readonly label: string;
};

type StringTables = {
  readonly bytes: Uint8Array;
  /** Returns the string table for the section index of a symbol table; null if it is not usable. */
  readonly of: (symbolTable: number) => StringTable | null;
};

/** Reads the string tables of the symbol tables with the section indexes `symbolTables`. */
async function readStringTables(
  source: ByteSource,
  header: ElfHeader,
  sections: SectionTable,
  symbolTables: readonly number[],
  faults: Faults,
): Promise<StringTables> {
  const allowance = new Allowance(source.size, MAX_NAME_BYTES);
  const bySection = new Map<number, StringTable>();
  const byTable = new Map<number, StringTable>();
  let total = 0;
  for (const index of symbolTables) {
    const link = sections.link[index] ?? 0;
    if (!isUsable(sections, header, index, faults)) continue;
    let table = bySection.get(link);
    if (table === undefined) {
      const length = allowance.take(sections.byteLength[link] ?? 0, 1);
      table = { start: total, length, label: sectionLabel(sections, link) };
      bySection.set(link, table);
      // A NUL follows each table, so that an unterminated name does not include the next table.
      total += length + 1;
    }
    byTable.set(index, table);
  }
  const bytes = new Uint8Array(total);
  for (const [link, { start, length }] of bySection) {
    const fileOffset = sections.fileOffset[link] ?? 0;
    bytes.set(await source.read(fileOffset, fileOffset + length), start);
  }
  return { bytes, of: (symbolTable) => byTable.get(symbolTable) ?? null };
}

function isUsable(
  sections: SectionTable,
  header: ElfHeader,
  symbolTable: number,
  faults: Faults,
): boolean {
  const link = sections.link[symbolTable] ?? 0;
  const label = sectionLabel(sections, symbolTable);
  const type = link < sections.count ? sections.type[link] : undefined;
  if (type === SHT.strtab) return true;
  if (type === SHT.nobits) {
    const linked = sectionLabel(sections, link);
    faults.add('elf.string-table-empty', () => ({
      severity: 'error',
      region: linked,
      message: tally(`${linked} has no bytes, symbols have no names`, label),
      span: sectionFieldSpan(sections, header, link, 'sh_type'),
      expected: `${SHT.strtab} (SHT_STRTAB)`,
      found: `${SHT.nobits} (SHT_NOBITS)`,
    }));
    return false;
  }
  faults.add('elf.no-string-table', () => ({
    severity: 'error',
    region: label,
    message: (count) =>
      `${label}: string table is not a string table, symbols have no names` +
      (count > 1 ? `, nor have those of ${count - 1} more symbol tables` : ''),
    span: sectionFieldSpan(sections, header, symbolTable, 'sh_link'),
    expected: 'the index of a section of type SHT_STRTAB',
    found: type === undefined ? `${link}, no such section` : `${link}, of type ${type}`,
  }));
  return false;
}
