/**
 * One entry of the section header table (`Elf32_Shdr`, `Elf64_Shdr`).
 *
 * Source: System V gABI chapter 4, "Sections". All fields as stored.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type CName, fieldSpan, inBothClasses, type ValuesOf } from '#bytes/c-struct.ts';
import type { Span } from '#bytes/span.ts';
import type { ElfClass } from './header.ts';

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

/** Bytes of one entry, which `e_shentsize` has to say too. */
export function sectionHeaderSize(elfClass: ElfClass): number {
  return HEADER[elfClass].size;
}

/** Where a field lies, counted from the start of its entry. */
export function sectionHeaderSpan(elfClass: ElfClass, field: SectionHeaderFieldName): Span {
  return fieldSpan(HEADER[elfClass], field);
}

/** Reads the entry at `offset` (bytes in `table`). Throws `Malformed` where it does not fit. */
export function readSectionHeader(
  table: ByteReader,
  offset: number,
  elfClass: ElfClass,
): SectionHeader {
  table.require(offset, sectionHeaderSize(elfClass), 'a section header');
  return HEADER[elfClass].read(table, offset);
}
