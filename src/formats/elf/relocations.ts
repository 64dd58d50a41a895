/**
 * One relocation entry (`Elf32_Rel`, `Elf32_Rela`, `Elf64_Rel`, `Elf64_Rela`).
 *
 * Source: System V gABI chapter 4, "Relocation"; for MIPS the "64-bit ELF
 * Object File Specification", section 2.9. What `r_type` means is the machine's matter.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { EM } from './constants.ts';
import type { ElfClass, ElfHeader } from './header.ts';

export type RelocationRecord = {
  readonly rOffset: bigint;
  /** As stored, in the byte order of the file. */
  readonly rInfo: bigint;
  readonly rSym: number;
  readonly rType: number;
  /** null for REL, whose addend lies at the place that is patched. */
  readonly rAddend: bigint | null;
};

export type RelocationFormat = {
  readonly elfClass: ElfClass;
  /** RELA: `r_addend` follows. */
  readonly explicitAddend: boolean;
  /**
   * Little-endian MIPS64 does not store `r_info` as one number: a 32-bit symbol
   * number, then four single bytes, the last of which is the type.
   */
  readonly isMips64El: boolean;
};

/** How the REL (or RELA) entries of this file are laid out. */
export function relocationFormat(
  header: Pick<ElfHeader, 'elfClass' | 'endian' | 'eMachine'>,
  explicitAddend: boolean,
): RelocationFormat {
  const { elfClass, endian, eMachine } = header;
  const isMips64El = elfClass === 64 && endian === 'little' && eMachine === EM.mips;
  return { elfClass, explicitAddend, isMips64El };
}

/** Bytes of one entry: 8, 12, 16 or 24. */
export function relocationSize({ elfClass, explicitAddend }: RelocationFormat): number {
  return (elfClass / 8) * (explicitAddend ? 3 : 2);
}

/** Reads the entry at `offset` (bytes in `table`). Throws `Malformed` where it does not fit. */
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
  // Read as two words: the symbol is the high half, which comes last in little-endian files.
  const [symAt, typeAt] = table.endian === 'big' ? [8, 12] : [12, 8];
  return {
    rOffset: table.u64(offset),
    rInfo: table.u64(offset + 8),
    rSym: table.u32(offset + (format.isMips64El ? 8 : symAt)),
    rType: format.isMips64El ? table.as('big').u32(offset + 12) : table.u32(offset + typeAt),
    rAddend: format.explicitAddend ? table.i64(offset + 16) : null,
  };
}
