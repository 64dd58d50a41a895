/**
 * The header in front of the bytes of a section with SHF_COMPRESSED
 * (`Elf32_Chdr`, `Elf64_Chdr`).
 *
 * Source: System V gABI chapter 4, "Section Compression".
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ElfClass } from './header.ts';

export type CompressionHeader = {
  /** 1 zlib, 2 zstd. */
  readonly chType: number;
  /** Bytes of the section once unpacked, as declared. */
  readonly chSize: bigint;
  readonly chAddralign: bigint;
};

export const ELFCOMPRESS = { zlib: 1, zstd: 2 } as const;

/** Bytes of the header; the packed data begins behind it. */
export function compressionHeaderSize(elfClass: ElfClass): number {
  return elfClass === 64 ? 24 : 12;
}

/** Reads the header at the start of `section`. Throws `Malformed` `elf.compression-header-truncated`. */
export function readCompressionHeader(section: ByteReader, elfClass: ElfClass): CompressionHeader {
  const size = compressionHeaderSize(elfClass);
  if (section.length < size) {
    throw new Malformed({
      code: 'elf.compression-header-truncated',
      region: section.region,
      message: `${section.region}: compression header truncated`,
      span: section.span(0, section.length),
      expected: `${size} bytes`,
      found: `${section.length} bytes`,
    });
  }
  return elfClass === 64
    ? { chType: section.u32(0), chSize: section.u64(8), chAddralign: section.u64(16) }
    : {
        chType: section.u32(0),
        chSize: BigInt(section.u32(4)),
        chAddralign: BigInt(section.u32(8)),
      };
}
