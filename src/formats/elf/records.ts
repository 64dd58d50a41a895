/** Entries of the tables of an ELF file, and the header of a compressed section, as stored. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type CName, cStruct, fieldSpan, inBothClasses, type ValuesOf } from '#bytes/c-struct.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { EM } from './constants.ts';
import type { ElfClass, ElfHeader } from './header.ts';

/** A symbol (`Elf32_Sym`, `Elf64_Sym`). Source: System V gABI chapter 4, "Symbol Table". */
export type SymbolRecord = {
  readonly stName: number;
  readonly stInfo: number;
  readonly stOther: number;
  readonly stShndx: number;
  readonly stValue: bigint;
  readonly stSize: bigint;
};

/** Returns the size of a symbol table entry in bytes. */
export function symbolSize(elfClass: ElfClass): number {
  return elfClass === 64 ? 24 : 16;
}

/** Returns the span of `st_name` or `st_shndx`, relative to the start of the symbol. */
export function symbolSpan(elfClass: ElfClass, field: 'st_name' | 'st_shndx'): Span {
  if (field === 'st_name') return spanOf(0, 4);
  return elfClass === 64 ? spanOf(6, 2) : spanOf(14, 2);
}

/** Reads the symbol at byte `offset` of `table`. Throws `Malformed` if it does not fit. */
export function readSymbol(table: ByteReader, offset: number, elfClass: ElfClass): SymbolRecord {
  table.require(offset, symbolSize(elfClass), 'a symbol');
  return elfClass === 64
    ? {
        stName: table.u32(offset),
        stInfo: table.u8(offset + 4),
        stOther: table.u8(offset + 5),
        stShndx: table.u16(offset + 6),
        stValue: table.u64(offset + 8),
        stSize: table.u64(offset + 16),
      }
    : {
        stName: table.u32(offset),
        stValue: BigInt(table.u32(offset + 4)),
        stSize: BigInt(table.u32(offset + 8)),
        stInfo: table.u8(offset + 12),
        stOther: table.u8(offset + 13),
        stShndx: table.u16(offset + 14),
      };
}

const HEADER = inBothClasses({
  shName: 'u32',
  shType: 'u32',
  shFlags: 'word',
  shAddr: 'word',
  shOffset: 'word',
  shSize: 'word',
  shLink: 'u32',
  shInfo: 'u32',
  shAddralign: 'word',
  shEntsize: 'word',
});

export type SectionHeader = ValuesOf<(typeof HEADER)[64]>;

export type SectionHeaderFieldName = CName<keyof SectionHeader>;

/** Returns the size of a section header in bytes, which `e_shentsize` must equal. */
export function sectionHeaderSize(elfClass: ElfClass): number {
  return HEADER[elfClass].size;
}

/** Returns the span of a field, relative to the start of the section header. */
export function sectionHeaderSpan(elfClass: ElfClass, field: SectionHeaderFieldName): Span {
  return fieldSpan(HEADER[elfClass], field);
}

/** Reads the section header at byte `offset` of `table`. Throws `Malformed` if it does not fit. */
export function readSectionHeader(
  table: ByteReader,
  offset: number,
  elfClass: ElfClass,
): SectionHeader {
  table.require(offset, sectionHeaderSize(elfClass), 'a section header');
  return HEADER[elfClass].read(table, offset);
}

/**
 * A relocation (`Elf64_Rela` etc.). Source: System V gABI, "Relocation"; MIPS64 ELF, section 2.9.
 */

type RelocationRecord = {
  readonly rOffset: bigint;
  /** Field `r_info` as stored, in the byte order of the file. */
  readonly rInfo: bigint;
  readonly rSym: number;
  readonly rType: number;
  /** Field `r_addend`; null for REL, whose addend is at the relocated place. */
  readonly rAddend: bigint | null;
};

export type RelocationFormat = {
  readonly elfClass: ElfClass;
  /** True for RELA, whose entries have `r_addend`. */
  readonly explicitAddend: boolean;
  /** True for little-endian MIPS64. Its `r_info` is a 32-bit symbol number and four type bytes. */
  readonly isMips64El: boolean;
};

/** Returns the format of the REL or RELA entries of a file. */
export function relocationFormat(
  header: Pick<ElfHeader, 'elfClass' | 'endian' | 'eMachine'>,
  explicitAddend: boolean,
): RelocationFormat {
  const { elfClass, endian, eMachine } = header;
  const isMips64El = elfClass === 64 && endian === 'little' && eMachine === EM.mips;
  return { elfClass, explicitAddend, isMips64El };
}

/** Returns the size of a relocation entry in bytes: 8, 12, 16 or 24. */
export function relocationSize({ elfClass, explicitAddend }: RelocationFormat): number {
  return (elfClass / 8) * (explicitAddend ? 3 : 2);
}

/** Reads the relocation at byte `offset` of `table`. Throws `Malformed` if it does not fit. */
export function readRelocation(
  table: ByteReader,
  offset: number,
  format: RelocationFormat,
): RelocationRecord {
  table.require(offset, relocationSize(format), 'a relocation');
  if (format.elfClass === 32) {
    const info = table.u32(offset + 4);
    return {
      rOffset: BigInt(table.u32(offset)),
      rInfo: BigInt(info),
      rSym: info >>> 8,
      rType: info & 0xff,
      rAddend: format.explicitAddend ? BigInt(table.i32(offset + 8)) : null,
    };
  }
  // Reads two words: in little-endian files the second word is the high half, the symbol.
  const [symAt, typeAt] = table.endian === 'big' ? [8, 12] : [12, 8];
  return {
    rOffset: table.u64(offset),
    rInfo: table.u64(offset + 8),
    rSym: table.u32(offset + (format.isMips64El ? 8 : symAt)),
    rType: format.isMips64El ? table.as('big').u32(offset + 12) : table.u32(offset + typeAt),
    rAddend: format.explicitAddend ? table.i64(offset + 16) : null,
  };
}

/** The header of a section with SHF_COMPRESSED. Source: System V gABI, "Section Compression". */
const COMPRESSION_HEADER = {
  32: cStruct({ chType: 'u32', chSize: 'word', chAddralign: 'word' }, undefined, 32),
  64: cStruct({ chType: 'u32', chReserved: 'char4', chSize: 'word', chAddralign: 'word' }),
};

export const ELFCOMPRESS = { zlib: 1, zstd: 2 } as const;

/** Returns the size of the compression header in bytes. Packed data follows the header. */
export function compressionHeaderSize(elfClass: ElfClass): number {
  return COMPRESSION_HEADER[elfClass].size;
}

/** Reads the header of a compressed section. Throws `elf.compression-header-truncated`. */
export function readCompressionHeader(
  section: ByteReader,
  elfClass: ElfClass,
): ValuesOf<(typeof COMPRESSION_HEADER)[64]> {
  const size = compressionHeaderSize(elfClass);
  if (section.length < size) {
    throw section.malformed(
      'elf.compression-header-truncated',
      `${section.region}: compression header truncated`,
      { at: [0, section.length], expected: `${size} bytes`, found: `${section.length} bytes` },
    );
  }
  return COMPRESSION_HEADER[elfClass].read(section);
}
