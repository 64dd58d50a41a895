/** Reads all REL and RELA sections of a file in the model's columns. */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { ET, SHF, SHT } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import {
  type RelocationFormat,
  readRelocation,
  relocationFormat,
  relocationSize,
} from '#formats/elf/records.ts';
import { AddendSource, newRelocations, type RelocationTable } from '#model/relocations.ts';
import { isData, type SectionTable } from '#model/sections.ts';
import { isBpfMachine } from './elf-header.ts';
import type { SymbolRange } from './elf-symbols.ts';
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

/** Input that is the same for all relocation sections of a file. */
export type RelocationInput = {
  readonly source: ByteSource;
  readonly header: ElfHeader;
  readonly sections: SectionTable;
  readonly symbolRanges: ReadonlyMap<number, SymbolRange>;
  readonly options: IngestOptions;
};

/**
 * Largest number of entries of sections that are not loaded that a linked file may have for them to
 * be in the model. A kernel has 12 million for its DWARF, where each value is already written.
 */
const MAX_UNLOADED = 1 << 20;

/** Reads SHT_REL and SHT_RELA sections in file order. For BPF also reads the addends of REL. */
export async function ingestRelocations(
  input: RelocationInput,
  issues: Issue[],
): Promise<RelocationTable> {
  const { source, header, sections } = input;
  const faults = new Faults();
  const allowance = new Allowance(source.size, MAX_ROWS);
  const tables: RelSection[] = [];
  let total = 0;
  const unlisted = unlistedSections(input, issues);
  for (const index of relocationSections(sections)) {
    if (unlisted.has(index)) continue;
    const format = relocationFormat(header, sections.type[index] === SHT.rela);
    const rowSize = relocationSize(format);
    const count = checkTable({ sections, header, index, rowSize, allowance, faults });
    tables.push({ index, format, firstRow: total, count, ...linksOf(input, index, faults) });
    total += count;
  }
  const relocations = newRelocations(total);
  for (const table of tables) await readTable(input, relocations, table, faults);
  if (isBpfMachine(header.eMachine)) {
    await readImplicitAddends(input, relocations);
  }
  faults.report(issues);
  return relocations;
}

function* relocationSections({ count, type }: SectionTable): Generator<number> {
  for (let index = 1; index < count; index++) {
    if (type[index] === SHT.rel || type[index] === SHT.rela) yield index;
  }
}

/** Returns the sections whose entries are left in the file, with a note; mostly none. */
function unlistedSections(
  { header, sections }: RelocationInput,
  issues: Issue[],
): ReadonlySet<number> {
  const unloaded = new Set<number>();
  let entries = 0;
  if (header.eType === ET.rel) return unloaded;
  for (const index of relocationSections(sections)) {
    const target = sections.info[index] ?? 0;
    const flags = sections.flags[target === 0 ? -1 : target] ?? SHF.alloc;
    if ((flags & SHF.alloc) !== 0n) continue;
    const rowSize = relocationSize(relocationFormat(header, sections.type[index] === SHT.rela));
    unloaded.add(index);
    entries += Math.floor((sections.byteLength[index] ?? 0) / rowSize);
  }
  if (entries <= MAX_UNLOADED) return new Set();
  const [first = 0] = unloaded;
  const label = sectionLabel(sections, first);
  const others = unloaded.size === 1 ? '' : ` and ${counted(unloaded.size - 1, 'more section')}`;
  const start = sections.fileOffset[first] ?? 0;
  issues.push({
    severity: 'note',
    code: 'elf.relocations-unlisted',
    region: label,
    message: `${label}${others}: ${counted(entries, 'relocation')} of debugging information are not listed`,
    span: spanOf(start, sections.byteLength[first] ?? 0),
    expected: `at most ${MAX_UNLOADED} in a linked file, whose values are already written`,
    found: `${entries}`,
    advice: 'Bytes shows each entry.',
  });
  return unloaded;
}

type RelSection = {
  readonly index: number;
  readonly format: RelocationFormat;
  readonly firstRow: number;
  readonly count: number;
  /** Index of the section that is relocated; -1 for none. */
  readonly target: number;
  /** Symbols of the section; null if it does not link to a symbol table. */
  readonly symbols: SymbolRange | null;
};

/** Returns the sections to which `sh_info` and `sh_link` of a relocation section refer. */
function linksOf(
  { header, sections, symbolRanges }: RelocationInput,
  index: number,
  faults: Faults,
): Pick<RelSection, 'target' | 'symbols'> {
  const info = sections.info[index] ?? 0;
  const link = sections.link[index] ?? 0;
  const label = sectionLabel(sections, index);
  const isAbsent = info >= sections.count;
  if (isAbsent) {
    faults.add('elf.relocated-section-absent', () => ({
      severity: 'warning',
      region: label,
      message: (count) =>
        `${label}: section ${info} does not exist` +
        (count > 1 ? `, nor do those that ${count - 1} more relocation sections name` : ''),
      span: sectionFieldSpan(sections, header, index, 'sh_info'),
      expected: `a section below ${sections.count}`,
      found: `${info}`,
    }));
  }
  const symbols = symbolRanges.get(link) ?? null;
  if (symbols === null && link !== 0) {
    faults.add('elf.relocation-symbols-absent', () => ({
      severity: 'warning',
      region: label,
      message: tally('relocation sections that link to no symbol table', label),
      span: sectionFieldSpan(sections, header, index, 'sh_link'),
      expected: 'the index of a symbol table',
      found: `${link}`,
    }));
  }
  return { target: isAbsent || info === 0 ? -1 : info, symbols };
}

async function readTable(
  input: RelocationInput,
  relocations: RelocationTable,
  table: RelSection,
  faults: Faults,
): Promise<void> {
  const { source, header, sections, options } = input;
  const rowSize = relocationSize(table.format);
  const rows = {
    region: sectionLabel(sections, table.index),
    fileOffset: sections.fileOffset[table.index] ?? 0,
    count: table.count,
    rowSize,
    endian: header.endian,
  };
  const targetSize = checkedSize(header, sections, table.target);
  for await (const piece of readPieces(source, rows, options)) {
    options.onProgress?.({
      step: 'reading relocations',
      done: table.firstRow + piece.first,
      total: relocations.count,
    });
    for (let i = 0; i < piece.count; i++) {
      const row = table.firstRow + piece.first + i;
      const record = readRelocation(piece.reader, i * rowSize, table.format);
      relocations.relSection[row] = table.index;
      relocations.indexInSection[row] = piece.first + i;
      relocations.targetSection[row] = table.target;
      relocations.offset[row] = record.rOffset;
      relocations.info[row] = record.rInfo;
      relocations.type[row] = record.rType;
      relocations.symbolNumber[row] = record.rSym;
      relocations.addend[row] = record.rAddend ?? 0n;
      relocations.addendSource[row] =
        record.rAddend === null ? AddendSource.unknown : AddendSource.explicit;
      relocations.entryOffset[row] = piece.reader.fileOffset + i * rowSize;
      relocations.entrySize[row] = rowSize;
      const exists = table.symbols !== null && record.rSym < table.symbols.count;
      relocations.symbol[row] = exists ? table.symbols.firstRow + record.rSym : -1;
      checkRow({ input, relocations, table, row, faults, targetSize });
    }
  }
}

/** Returns the limit of valid offsets in bytes; null for linked files and compressed sections. */
function checkedSize(header: ElfHeader, sections: SectionTable, target: number): bigint | null {
  if (header.eType !== ET.rel || target < 0) return null;
  const isPacked = ((sections.flags[target] ?? 0n) & SHF.compressed) !== 0n;
  return isPacked ? null : (sections.declaredSize[target] ?? 0n);
}

type Row = {
  readonly input: RelocationInput;
  readonly relocations: RelocationTable;
  readonly table: RelSection;
  readonly row: number;
  readonly faults: Faults;
  readonly targetSize: bigint | null;
};

function checkRow(at: Row): void {
  const { input, relocations, table, row, targetSize } = at;
  const symbolNumber = relocations.symbolNumber[row] ?? 0;
  if (relocations.symbol[row] === -1 && symbolNumber !== 0) {
    addFault(at, 'elf.relocation-symbol-absent', {
      what: 'relocations with symbols that do not exist',
      expected: `a symbol below ${table.symbols?.count ?? 0}`,
      found: `symbol ${symbolNumber}`,
    });
  }
  const rType = relocations.type[row] ?? 0;
  const isBpf = isBpfMachine(input.header.eMachine);
  const bpfType = isBpf ? bpfRelocationType(rType, isData(input.sections, table.target)) : null;
  if (bpfType !== null && !bpfType.known) {
    addFault(at, 'elf.unknown-relocation-type', {
      what: 'unknown relocation types',
      expected: 'a type of the BPF machine',
      found: `type ${rType}`,
    });
  }
  const width = bpfType === null ? 0 : bpfType.siteByteDelta + bpfType.siteBitWidth / 8;
  const offset = relocations.offset[row] ?? 0n;
  if (targetSize !== null && offset + BigInt(width) > targetSize) {
    addFault(at, 'elf.relocation-outside', {
      what: 'relocations outside their section',
      expected: `${width} bytes inside the ${targetSize} of ${sectionLabel(input.sections, table.target)}`,
      found: `r_offset 0x${offset.toString(16)}`,
    });
  }
}

function addFault(
  { input, relocations, table, row, faults }: Row,
  code: string,
  words: { readonly what: string; readonly expected: string; readonly found: string },
): void {
  faults.add(code, () => {
    const region = sectionLabel(input.sections, table.index);
    return {
      severity: 'warning',
      region,
      message: tally(words.what, `entry ${relocations.indexInSection[row] ?? 0} of ${region}`),
      span: spanOf(relocations.entryOffset[row] ?? 0, relocations.entrySize[row] ?? 0),
      expected: words.expected,
      found: words.found,
    };
  });
}

/**
 * Addends of REL entries of BPF, which are stored at the relocated places. Source:
 * bpf-llvm-relocations.rst, "Relocation Record". Reads each part of the file once, in windows.
 */

const WINDOW_BYTES = 16 * 1024 * 1024;
/** Number of bytes that are read for a relocation. No relocation changes more bytes. */
const SITE_BYTES = 8;
const NO_SITE = -1;

/** Sets `addend` and `addendSource` in each row whose relocated bytes are in the file. */
async function readImplicitAddends(
  input: RelocationInput,
  relocations: RelocationTable,
): Promise<void> {
  const { source, header, options } = input;
  const sites = new Float64Array(relocations.count);
  const windows = new Map<number, { start: number; end: number }>();
  for (let row = 0; row < relocations.count; row++) {
    const site = siteOf(input, relocations, row);
    sites[row] = site;
    if (site === NO_SITE) continue;
    const number = Math.floor(site / WINDOW_BYTES);
    const window = windows.get(number);
    if (window === undefined) windows.set(number, { start: site, end: site + SITE_BYTES });
    else {
      window.start = Math.min(window.start, site);
      window.end = Math.max(window.end, site + SITE_BYTES);
    }
  }
  for (const [number, { start, end }] of windows) {
    options.signal?.throwIfAborted();
    const reader = new ByteReader(await source.read(start, end), 'site', header.endian, start);
    for (let row = 0; row < relocations.count; row++) {
      const site = sites[row] ?? NO_SITE;
      if (site === NO_SITE || Math.floor(site / WINDOW_BYTES) !== number) continue;
      const inData = isData(input.sections, relocations.targetSection[row] ?? -1);
      const rType = relocations.type[row] ?? 0;
      relocations.addend[row] = readAddend(reader, site - start, rType, inData);
      relocations.addendSource[row] = AddendSource.implicit;
    }
  }
}

/** Returns the file offset of the relocated bytes; `NO_SITE` if they cannot be read. */
function siteOf(
  { header, sections }: RelocationInput,
  relocations: RelocationTable,
  row: number,
): number {
  const target = relocations.targetSection[row] ?? -1;
  if (target < 0 || relocations.addendSource[row] !== AddendSource.unknown) return NO_SITE;
  if (((sections.flags[target] ?? 0n) & SHF.compressed) !== 0n) return NO_SITE;
  const rType = relocations.type[row] ?? 0;
  const { siteByteDelta, siteBitWidth } = bpfRelocationType(rType, isData(sections, target));
  if (siteBitWidth === 0) return NO_SITE;
  const base = header.eType === ET.rel ? 0n : (sections.addr[target] ?? 0n);
  const offset = (relocations.offset[row] ?? 0n) - base + BigInt(siteByteDelta);
  const byteLength = BigInt(sections.byteLength[target] ?? 0);
  if (offset < 0n || offset + BigInt(siteBitWidth / 8) > byteLength) return NO_SITE;
  return (sections.fileOffset[target] ?? 0) + Number(offset);
}

/**
 * Returns the addend A: the formula of the relocation type with A gives the value that the linker
 * writes.
 *
 * R_BPF_64_64 stores A in the low half of an ld_imm64. The high half is 0, so A is never negative
 * ("must be less than or equal to UINT32_MAX"). R_BPF_64_32 has the value (S + A) / 8 - 1, and the
 * file has the value for S = 0. So A = (imm + 1) * 8. Example: imm is -1 for the symbol of a
 * function (A = 0), and 2 for `lfunc` at 0x18 of its section (A = 0x18). All other types, and both
 * types in data, have the value S + A in the whole field, which is signed.
 */
function readAddend(reader: ByteReader, offset: number, rType: number, inData: boolean): bigint {
  if (rType === 1 && !inData) return BigInt(reader.u32(offset));
  if (rType === 10 && !inData) return (BigInt(reader.i32(offset)) + 1n) * 8n;
  const { siteBitWidth } = bpfRelocationType(rType, inData);
  return siteBitWidth === 64 ? reader.i64(offset) : BigInt(reader.i32(offset));
}
