/**
 * Reads an ELF file in ranges as columns of the model: headers, sections, symbols, relocations.
 * Violations of the format become issues. Throws only for an unreadable header.
 */
import { append } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attemptAsync, type Issue } from '#bytes/issue.ts';
import { type ByteSource, MAX_MEMORY, readAhead } from '#bytes/source.ts';
import { decompress } from '#formats/containers/decompress.ts';
import { fileTypeName, SHF, SHT } from '#formats/elf/constants.ts';
import { elfHeaderSize, readElfHeader } from '#formats/elf/header.ts';
import { machineName } from '#formats/elf/machines.ts';
import { compressionHeaderSize, ELFCOMPRESS, readCompressionHeader } from '#formats/elf/records.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_RELOCATIONS } from '#model/relocations.ts';
import { isNamed, type SectionTable } from '#model/sections.ts';
import { checkHeader, headerBlock, refuseAbsurdHeader } from './elf-header.ts';
import { ingestRelocations } from './elf-relocations.ts';
import { ingestSections } from './elf-sections.ts';
import { ingestSymbols } from './elf-symbols.ts';
import { pastEndIssue, sectionFieldSpan, sectionLabel } from './elf-tables.ts';
import type { IngestOptions } from './ingest-options.ts';

export type ElfParts = Pick<
  ObjectModel,
  | 'endian'
  | 'addressBits'
  | 'machine'
  | 'fileType'
  | 'headers'
  | 'sections'
  | 'symbols'
  | 'relocations'
>;

/** Reads headers, symbols and relocations. Throws `Malformed` only for an unreadable ELF header. */
export async function ingestElf(
  source: ByteSource,
  issues: Issue[],
  options: IngestOptions = {},
): Promise<ElfParts> {
  const header = readElfHeader(
    new ByteReader(await source.read(0, elfHeaderSize(64)), 'ELF header'),
  );
  refuseAbsurdHeader(header, source.size);
  checkHeader(header, issues);
  const { sections, declaredCount, namesIndex } = await ingestSections(
    source,
    header,
    issues,
    options,
  );
  const { symbols, ranges } = await ingestSymbols(source, header, sections, issues, options);
  // Reads ahead, because an object may have a relocation section for each function.
  const ahead = readAhead(source);
  const input = { source: ahead, header, sections, symbolRanges: ranges, options };
  const relocations =
    options.sectionsOnly === true ? NO_RELOCATIONS : await ingestRelocations(input, issues);
  const { endian, elfClass, eMachine, eType } = header;
  return {
    endian,
    addressBits: elfClass,
    machine: { number: eMachine, name: machineName(eMachine) ?? `0x${eMachine.toString(16)}` },
    fileType: fileTypeName(eType),
    headers: [
      headerBlock(header, {
        sectionCount: declaredCount,
        namesSection: namesIndex === 0 ? null : sectionLabel(sections, namesIndex),
      }),
    ],
    sections,
    symbols,
    relocations,
  };
}

/** The parts of a file that `readSection` needs. */
export type SectionOwner = Pick<ElfParts, 'sections' | 'endian' | 'addressBits'>;

/**
 * Returns the bytes of a section; `fileOffset` is null for a compressed section. Returns null for
 * SHT_NOBITS and, with an issue, for truncated bytes and bytes that cannot be unpacked.
 */
export async function readSection(
  source: ByteSource,
  parts: SectionOwner,
  index: SectionIndex,
  issues: Issue[],
): Promise<{ readonly bytes: Uint8Array; readonly fileOffset: number | null } | null> {
  const { sections } = parts;
  const absence = whyAbsent(parts, index, source.size);
  if (absence !== null) {
    // `checkSections` may already have reported the fault.
    if (
      !issues.some(
        (known) => known.code === absence.code && known.span?.start === absence.span?.start,
      )
    )
      issues.push(absence);
    return null;
  }
  return attemptAsync(issues, async () => {
    const fileOffset = sections.fileOffset[index] ?? 0;
    const bytes = await source.read(fileOffset, fileOffset + (sections.byteLength[index] ?? 0));
    const isPacked = ((sections.flags[index] ?? 0n) & SHF.compressed) !== 0n;
    if (!isPacked) return { bytes, fileOffset };
    const unpacked = await unpack(parts, index, bytes, issues);
    source.onUnpacked?.(unpacked?.bytes.length ?? 0);
    return unpacked;
  });
}

/** Returns the sections with the name `name`, in file order. */
export function sectionsNamed(sections: SectionTable, name: string): SectionIndex[] {
  const indexes: SectionIndex[] = [];
  for (let i = 1; i < sections.count; i++) {
    const index = sectionIndex(i);
    if (isNamed(sections, index, name)) indexes.push(index);
  }
  return indexes;
}

function whyAbsent(parts: SectionOwner, index: SectionIndex, fileSize: number): Issue | null {
  const { sections, addressBits } = parts;
  const region = sectionLabel(sections, index);
  if (index >= sections.count) {
    return {
      severity: 'error',
      code: 'elf.section-absent',
      region,
      message: `section ${index} does not exist`,
      span: null,
      expected: `a section below ${sections.count}`,
      found: `${index}`,
    };
  }
  const field = { elfClass: addressBits };
  const type = sections.type[index];
  if (type === SHT.nobits || type === SHT.null) {
    return {
      severity: 'error',
      code: 'elf.section-empty',
      region,
      message: `${region} has no bytes in the file`,
      span: sectionFieldSpan(sections, field, index, 'sh_type'),
      expected: 'a section with bytes',
      found: type === SHT.null ? 'SHT_NULL' : 'SHT_NOBITS',
    };
  }
  if ((sections.byteLength[index] ?? 0) > MAX_MEMORY) {
    return {
      severity: 'error',
      code: 'elf.section-too-large',
      region,
      message: `${region}: ${sections.byteLength[index]} bytes exceed the limit`,
      span: sectionFieldSpan(sections, field, index, 'sh_size'),
      expected: `at most ${MAX_MEMORY} bytes`,
      found: `${sections.byteLength[index]} bytes`,
    };
  }
  const isWhole = sections.declaredSize[index] === BigInt(sections.byteLength[index] ?? 0);
  return isWhole ? null : pastEndIssue(sections, field, index, fileSize);
}

async function unpack(
  { sections, endian, addressBits }: SectionOwner,
  index: SectionIndex,
  packed: Uint8Array,
  issues: Issue[],
): Promise<{ readonly bytes: Uint8Array; readonly fileOffset: null } | null> {
  const region = sectionLabel(sections, index);
  const fileOffset = sections.fileOffset[index] ?? 0;
  const reader = new ByteReader(packed, region, endian, fileOffset);
  const { chType, chSize } = readCompressionHeader(reader, addressBits);
  const isZlib = chType === ELFCOMPRESS.zlib;
  if (!isZlib && chType !== ELFCOMPRESS.zstd) {
    issues.push({
      severity: 'error',
      code: 'elf.unknown-compression',
      region,
      message: `${region}: unknown compression type ${chType}`,
      span: reader.span(0, 4),
      expected: '1 (ELFCOMPRESS_ZLIB) or 2 (ELFCOMPRESS_ZSTD)',
      found: `${chType}`,
    });
    return null;
  }
  const headerSize = compressionHeaderSize(addressBits);
  const unpacked = await decompress(isZlib ? 'zlib' : 'zstd', packed.subarray(headerSize), {
    region,
    limit: MAX_MEMORY,
    fileOffset: fileOffset + headerSize,
  });
  append(issues, unpacked.issues);
  if (BigInt(unpacked.bytes.length) !== chSize) {
    issues.push({
      severity: 'warning',
      code: 'elf.unpacked-size',
      region,
      message: `${region}: decompressed size differs from the header`,
      span: reader.span(addressBits === 64 ? 8 : 4, addressBits / 8),
      expected: `ch_size ${chSize}`,
      found: `${unpacked.bytes.length} bytes`,
    });
  }
  return { bytes: unpacked.bytes, fileOffset: null };
}
