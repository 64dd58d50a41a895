/**
 * One entry of the section header table (`Elf32_Shdr`, `Elf64_Shdr`).
 *
 * Source: System V gABI chapter 4, "Sections". All fields as stored.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import type { ElfClass } from './header.ts';

export type SectionHeader = {
  readonly shName: number;
  readonly shType: number;
  readonly shFlags: bigint;
  readonly shAddr: bigint;
  readonly shOffset: bigint;
  readonly shSize: bigint;
  readonly shLink: number;
  readonly shInfo: number;
  readonly shAddralign: bigint;
  readonly shEntsize: bigint;
};

export type SectionHeaderFieldName =
  | 'sh_name'
  | 'sh_type'
  | 'sh_flags'
  | 'sh_addr'
  | 'sh_offset'
  | 'sh_size'
  | 'sh_link'
  | 'sh_info'
  | 'sh_addralign'
  | 'sh_entsize';

/** Bytes of one entry, which `e_shentsize` has to say too. */
export function sectionHeaderSize(elfClass: ElfClass): number {
  return elfClass === 64 ? 64 : 40;
}

/** Where a field lies, counted from the start of its entry. */
export function sectionHeaderSpan(elfClass: ElfClass, field: SectionHeaderFieldName): Span {
  const word = elfClass / 8;
  switch (field) {
    case 'sh_name':
      return spanOf(0, 4);
    case 'sh_type':
      return spanOf(4, 4);
    case 'sh_flags':
      return spanOf(8, word);
    case 'sh_addr':
      return spanOf(8 + word, word);
    case 'sh_offset':
      return spanOf(8 + 2 * word, word);
    case 'sh_size':
      return spanOf(8 + 3 * word, word);
    case 'sh_link':
      return spanOf(8 + 4 * word, 4);
    case 'sh_info':
      return spanOf(12 + 4 * word, 4);
    case 'sh_addralign':
      return spanOf(16 + 4 * word, word);
    case 'sh_entsize':
      return spanOf(16 + 5 * word, word);
  }
}

/** Reads the entry at `offset` (bytes in `table`). Throws `Malformed` where it does not fit. */
export function readSectionHeader(
  table: ByteReader,
  offset: number,
  elfClass: ElfClass,
): SectionHeader {
  table.require(offset, sectionHeaderSize(elfClass), 'a section header');
  const u32 = (field: SectionHeaderFieldName) =>
    table.u32(offset + sectionHeaderSpan(elfClass, field).start);
  const word = (field: SectionHeaderFieldName) => {
    const at = offset + sectionHeaderSpan(elfClass, field).start;
    return elfClass === 64 ? table.u64(at) : BigInt(table.u32(at));
  };
  return {
    shName: u32('sh_name'),
    shType: u32('sh_type'),
    shFlags: word('sh_flags'),
    shAddr: word('sh_addr'),
    shOffset: word('sh_offset'),
    shSize: word('sh_size'),
    shLink: u32('sh_link'),
    shInfo: u32('sh_info'),
    shAddralign: word('sh_addralign'),
    shEntsize: word('sh_entsize'),
  };
}
