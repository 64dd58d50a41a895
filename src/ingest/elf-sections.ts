/** Reads the section header table of a file in the model's columns, and checks it. */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { SHN, SHT } from '#formats/elf/constants.ts';
import { type ElfHeader, elfHeaderSpan } from '#formats/elf/header.ts';
import {
  readSectionHeader,
  type SectionHeader,
  sectionHeaderSize,
  sectionHeaderSpan,
} from '#formats/elf/records.ts';
import { knownSectionType, sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { NO_SECTIONS, newSections, type SectionTable } from '#model/sections.ts';
import {
  Faults,
  pastEndIssue,
  readPieces,
  sectionFieldSpan,
  sectionLabel,
  tally,
} from './elf-tables.ts';
import type { IngestOptions } from './ingest-options.ts';

const REGION = 'section headers';

/** Largest number of sections that are read. Compilers write up to some hundred thousand. */
const MAX_SECTIONS = 1024 * 1024;

export type SectionsRead = {
  readonly sections: SectionTable;
  readonly declaredCount: bigint;
  /** Index of the section that contains the section names; 0 for none. */
  readonly namesIndex: SectionIndex;
};

const NO_SECTIONS_READ: SectionsRead = {
  sections: NO_SECTIONS,
  declaredCount: 0n,
  namesIndex: sectionIndex(0),
};

/** Reads the section headers in the file. Faults become issues. Throws only read errors. */
export async function ingestSections(
  source: ByteSource,
  header: ElfHeader,
  issues: Issue[],
  options: IngestOptions,
): Promise<SectionsRead> {
  const { elfClass, endian } = header;
  const tableOffset = tableStart(source, header, issues);
  if (tableOffset === null) return NO_SECTIONS_READ;
  const rowSize = sectionHeaderSize(elfClass);
  const firstBytes = await source.read(tableOffset, tableOffset + rowSize);
  const first = readSectionHeader(
    new ByteReader(firstBytes, REGION, endian, tableOffset),
    0,
    elfClass,
  );
  // The null section has the numbers that do not fit into 16 bits (gABI, "Sections").
  const declaredCount = header.eShnum === 0 ? first.shSize : BigInt(header.eShnum);
  const count = clipCount(source, header, tableOffset, declaredCount, issues);
  const columns = newSections(count, rowSize);
  const table = { region: REGION, fileOffset: tableOffset, count, rowSize, endian };
  for await (const piece of readPieces(source, table, options)) {
    options.onProgress?.({ step: 'reading sections', done: piece.first, total: count });
    for (let i = 0; i < piece.count; i++) {
      const at = i * rowSize;
      const record = readSectionHeader(piece.reader, at, elfClass);
      fill(columns, piece.first + i, record, piece.reader.fileOffset + at, source.size);
    }
  }
  const stored = header.eShstrndx === SHN.xindex ? first.shLink : header.eShstrndx;
  const names = await readSectionNames(source, header, columns, stored, issues);
  const sections = { ...columns, names: names.bytes };
  checkSections(sections, header, source.size, issues);
  return { sections, declaredCount, namesIndex: names.index };
}

/** Returns the file offset of the table. Returns null, with an issue, if no entry is readable. */
function tableStart(source: ByteSource, header: ElfHeader, issues: Issue[]): number | null {
  const { elfClass, eShoff, eShentsize } = header;
  const rowSize = sectionHeaderSize(elfClass);
  if (eShoff === 0n) {
    issues.push({
      severity: 'warning',
      code: 'elf.no-sections',
      region: 'ELF header',
      message: 'no sections: the file has no section header table',
      span: elfHeaderSpan(elfClass, 'e_shoff'),
      found: 'e_shoff 0',
    });
    return null;
  }
  if (eShentsize !== rowSize) {
    issues.push({
      severity: 'error',
      code: 'elf.section-header-size',
      region: 'ELF header',
      message: `section header size ${eShentsize} is not that of ELF${elfClass}: no section is read`,
      span: elfHeaderSpan(elfClass, 'e_shentsize'),
      expected: `${rowSize}`,
      found: `${eShentsize}`,
    });
    return null;
  }
  if (eShoff + BigInt(rowSize) > BigInt(source.size)) {
    issues.push(pastEnd(source, header, 'no section is read'));
    return null;
  }
  return Number(eShoff);
}

/** Returns the number of entries to read. Adds an issue if the header declares another number. */
function clipCount(
  source: ByteSource,
  header: ElfHeader,
  tableOffset: number,
  declared: bigint,
  issues: Issue[],
): number {
  const rowSize = sectionHeaderSize(header.elfClass);
  const fitting = Math.floor((source.size - tableOffset) / rowSize);
  const limit = Math.min(fitting, MAX_SECTIONS);
  if (declared === 0n) {
    issues.push({
      severity: 'warning',
      code: 'elf.no-sections',
      region: 'ELF header',
      message: 'no sections: e_shnum is 0',
      span: elfHeaderSpan(header.elfClass, 'e_shnum'),
      found: 'e_shnum 0, sh_size of section 0 is 0 too',
    });
    return 0;
  }
  if (declared <= BigInt(limit)) return Number(declared);
  if (declared > BigInt(source.size) || fitting > MAX_SECTIONS) {
    const inNull = header.eShnum === 0;
    const size = sectionHeaderSpan(header.elfClass, 'sh_size');
    issues.push({
      severity: 'error',
      code: 'elf.section-count-absurd',
      region: inNull ? REGION : 'ELF header',
      message: `absurd number of sections, ${declared}: only the first ${limit} are read`,
      span: inNull
        ? spanOf(tableOffset + size.start, size.end - size.start)
        : elfHeaderSpan(header.elfClass, 'e_shnum'),
      expected: `at most ${limit}`,
      found: `${declared}`,
    });
  } else {
    issues.push(pastEnd(source, header, `only ${limit} of ${declared} sections are read`));
  }
  return limit;
}

function pastEnd(source: ByteSource, header: ElfHeader, consequence: string): Issue {
  return {
    severity: 'error',
    code: 'elf.section-headers-past-end',
    region: 'ELF header',
    message: `section header table past the end of the file: ${consequence}`,
    span: elfHeaderSpan(header.elfClass, 'e_shoff'),
    expected: `a table inside ${source.size} bytes`,
    found: `e_shoff ${header.eShoff}, e_shnum ${header.eShnum}`,
    advice: 'The file was probably cut short. Copy or build it again.',
  };
}

function fill(
  columns: SectionTable,
  row: number,
  record: SectionHeader,
  headerOffset: number,
  fileSize: number,
): void {
  columns.nameOff[row] = record.shName;
  columns.type[row] = record.shType;
  columns.flags[row] = record.shFlags;
  columns.addr[row] = record.shAddr;
  columns.declaredOffset[row] = record.shOffset;
  columns.declaredSize[row] = record.shSize;
  columns.link[row] = record.shLink;
  columns.info[row] = record.shInfo;
  columns.addralign[row] = record.shAddralign;
  columns.entsize[row] = record.shEntsize;
  columns.headerOffset[row] = headerOffset;
  // The null section has no bytes, but `sh_size` may be the number of sections.
  const hasBytes = record.shType !== SHT.null && record.shType !== SHT.nobits;
  const start = clip(record.shOffset, fileSize);
  columns.fileOffset[row] = start;
  columns.byteLength[row] = hasBytes ? clip(record.shOffset + record.shSize, fileSize) - start : 0;
}

function clip(offset: bigint, fileSize: number): number {
  return offset > BigInt(fileSize) ? fileSize : Number(offset);
}

/** Largest size in bytes of a table of names, which stays in memory. */
export const MAX_NAME_BYTES = 256 * 1024 * 1024;

/** Reads the table of section names. If it is unreadable, adds an issue and returns no bytes. */
async function readSectionNames(
  source: ByteSource,
  header: ElfHeader,
  sections: SectionTable,
  stored: number,
  issues: Issue[],
): Promise<{ readonly bytes: Uint8Array; readonly index: SectionIndex }> {
  const noNames = { bytes: new Uint8Array(0), index: sectionIndex(0) };
  if (sections.count === 0) return noNames;
  const unreadable = (severity: Issue['severity'], found: string): Issue => ({
    severity,
    code: 'elf.no-section-names',
    region: 'ELF header',
    message: `section names cannot be read: ${found}`,
    span: elfHeaderSpan(header.elfClass, 'e_shstrndx'),
    expected: `the index of a string table below ${sections.count}`,
    found: `${stored}`,
  });
  if (stored === 0) {
    issues.push(unreadable('warning', 'the file names no table of them'));
    return noNames;
  }
  if (stored >= sections.count) {
    issues.push(unreadable('error', `their table, section ${stored}, does not exist`));
    return noNames;
  }
  const start = sections.fileOffset[stored] ?? 0;
  const length = Math.min(sections.byteLength[stored] ?? 0, MAX_NAME_BYTES);
  if (length === 0) {
    issues.push(unreadable('error', `their table, section ${stored}, has no bytes`));
    return noNames;
  }
  if (sections.type[stored] !== SHT.strtab) {
    issues.push({
      severity: 'warning',
      code: 'elf.section-names-type',
      region: 'section headers',
      message: `the table of section names, section ${stored}, is not a string table: read as one`,
      span: sectionFieldSpan(sections, header, stored, 'sh_type'),
      expected: `${SHT.strtab} (SHT_STRTAB)`,
      found: `${sections.type[stored] ?? 0}`,
    });
  }
  return { bytes: await source.read(start, start + length), index: sectionIndex(stored) };
}

/** Types of relocation sections that are not decoded, with their names in elf.h. */
const UNDECODED: ReadonlyMap<number, string> = new Map([
  [SHT.relr, 'SHT_RELR'],
  [SHT.crel, 'SHT_CREL'],
  [SHT.androidRel, 'SHT_ANDROID_REL'],
  [SHT.androidRela, 'SHT_ANDROID_RELA'],
  [SHT.androidRelr, 'SHT_ANDROID_RELR'],
]);

/** Adds one issue for each kind of fault. `fileSize` is in bytes. */
function checkSections(
  sections: SectionTable,
  header: ElfHeader,
  fileSize: number,
  issues: Issue[],
): void {
  const faults = new Faults();
  for (let i = 1; i < sections.count; i++) {
    checkName(sections, header, i, faults);
    checkPlace(sections, header, i, fileSize, faults);
    checkType(sections, header, i, faults);
  }
  checkOverlaps(sections, faults);
  faults.report(issues);
}

function checkName(sections: SectionTable, header: ElfHeader, index: number, faults: Faults): void {
  const nameOff = sections.nameOff[index] ?? 0;
  // `readSectionNames` has already reported that the table of names is missing.
  if (sections.names.length === 0 || nameOff < sections.names.length) return;
  faults.add('elf.section-name-outside', () => ({
    severity: 'warning',
    region: REGION,
    message: tally('section names outside their table', `section ${index}`),
    span: sectionFieldSpan(sections, header, index, 'sh_name'),
    expected: `below ${sections.names.length}`,
    found: `${nameOff}`,
  }));
}

function checkPlace(
  sections: SectionTable,
  header: ElfHeader,
  index: number,
  fileSize: number,
  faults: Faults,
): void {
  const type = sections.type[index];
  const offset = sections.declaredOffset[index] ?? 0n;
  const size = sections.declaredSize[index] ?? 0n;
  if (type === SHT.null || type === SHT.nobits || size === 0n) return;
  if (offset + size <= BigInt(fileSize)) return;
  faults.add('elf.section-past-end', () => {
    const first = pastEndIssue(sections, header, index, fileSize);
    const more = (count: number) => (count > 1 ? `, and so are ${count - 1} more sections` : '');
    return { ...first, message: (count) => first.message + more(count) };
  });
}

function checkType(sections: SectionTable, header: ElfHeader, index: number, faults: Faults): void {
  const type = sections.type[index] ?? 0;
  const constant = UNDECODED.get(type);
  if (constant !== undefined) {
    faults.add(`elf.undecoded-relocations.${constant}`, () => ({
      severity: 'warning',
      region: sectionLabel(sections, index),
      message: tally(
        `${constant} not supported, its relocations are not shown`,
        sectionLabel(sections, index),
      ),
      span: sectionFieldSpan(sections, header, index, 'sh_type'),
      expected: 'relocations as SHT_REL or SHT_RELA',
      found: constant,
    }));
  } else if (knownSectionType(type, header.eMachine) === null) {
    faults.add('elf.unknown-section-type', () => ({
      severity: 'note',
      region: sectionLabel(sections, index),
      message: tally('unknown section types', sectionLabel(sections, index)),
      span: sectionFieldSpan(sections, header, index, 'sh_type'),
      found: `0x${type.toString(16)} (${sectionTypeName(type, header.eMachine)})`,
    }));
  }
}

/** Adds a fault for each section that begins before the end of a section at a lower offset. */
function checkOverlaps(sections: SectionTable, faults: Faults): void {
  const start = (index: number) => sections.fileOffset[index] ?? 0;
  const length = (index: number) => sections.byteLength[index] ?? 0;
  const order = Uint32Array.from({ length: sections.count }, (_, i) => i)
    .filter((i) => length(i) > 0)
    .sort((a, b) => start(a) - start(b) || a - b);
  let furthest: number | null = null;
  for (const index of order) {
    const end = furthest === null ? 0 : start(furthest) + length(furthest);
    const before = furthest;
    if (before !== null && start(index) < end) {
      const pair = `${sectionLabel(sections, before)} and ${sectionLabel(sections, index)}`;
      faults.add('elf.sections-overlap', () => ({
        severity: 'warning',
        region: REGION,
        message: tally('sections overlap', pair),
        span: spanOf(start(index), Math.min(end - start(index), length(index))),
        expected: `${sectionLabel(sections, index)} from offset ${end} on`,
        found: `offset ${start(index)}`,
      }));
    }
    if (before === null || start(index) + length(index) > end) furthest = index;
  }
}
