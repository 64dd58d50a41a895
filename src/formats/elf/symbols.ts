/**
 * One entry of a symbol table (`Elf32_Sym`, `Elf64_Sym`).
 *
 * Source: System V gABI chapter 4, "Symbol Table". The two classes hold the
 * same fields in a different order.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import type { ElfClass } from './header.ts';

export type SymbolRecord = {
  readonly stName: number;
  readonly stInfo: number;
  readonly stOther: number;
  readonly stShndx: number;
  readonly stValue: bigint;
  readonly stSize: bigint;
};

/** Bytes of one entry. */
export function symbolSize(elfClass: ElfClass): number {
  return elfClass === 64 ? 24 : 16;
}

/** Where `st_name` or `st_shndx` lies, counted from the start of the entry. */
export function symbolSpan(elfClass: ElfClass, field: 'st_name' | 'st_shndx'): Span {
  if (field === 'st_name') return spanOf(0, 4);
  return elfClass === 64 ? spanOf(6, 2) : spanOf(14, 2);
}

/** Reads the entry at `offset` (bytes in `table`). Throws `Malformed` where it does not fit. */
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
