/**
 * `r_info` taken apart: the symbol in its high bits, the type in its low ones.
 *
 * Source: System V gABI, "Relocation": ELF64_R_SYM and ELF64_R_TYPE split at bit
 * 32, ELF32_R_SYM and ELF32_R_TYPE at bit 8.
 */
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

export type InfoBits = {
  readonly info: bigint;
  readonly width: 32 | 64;
  /** The lowest bit of the symbol number. */
  readonly splitBit: 8 | 32;
  readonly symbol: number;
  readonly type: number;
};

/** Null where the file splits `r_info` in another way, as 64-bit MIPS does. */
export function infoBits(model: ObjectModel, reloc: RelocIndex): InfoBits | null {
  const { relocations } = model;
  const width = model.addressBits;
  const splitBit = width === 64 ? 32 : 8;
  const info = relocations.info[reloc] ?? 0n;
  const symbol = Number(info >> BigInt(splitBit));
  const type = Number(BigInt.asUintN(splitBit, info));
  const isSplitSo = symbol === relocations.symbolNumber[reloc] && type === relocations.type[reloc];
  return isSplitSo ? { info, width, splitBit, symbol, type } : null;
}
