/** Relocation entries of a linked file that the dynamic linker applies. */
import { addTo } from '#bytes/cache.ts';
import { hexText, signedHex } from '#bytes/text.ts';
import { SHF } from '#formats/elf/constants.ts';
import { relocIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { symbolName } from '#model/symbols.ts';
import { typesOfEntry } from './names.ts';

export type DynamicRelocation = {
  /** Name of the type: `R_X86_64_GLOB_DAT`. */
  readonly type: string;
  readonly symbol: string;
  /** Value of the symbol plus the addend. */
  readonly value: bigint;
  readonly addend: bigint;
  /** True if the entry holds the addend, not the place. */
  readonly isExplicit: boolean;
};

/** Returns the entries of the loaded relocation sections, by address. */
export function dynamicRelocations(
  model: ObjectModel,
): ReadonlyMap<bigint, readonly DynamicRelocation[]> {
  const { relocations, symbols, sections } = model;
  const found = new Map<bigint, DynamicRelocation[]>();
  for (let row = 0; row < relocations.count; row++) {
    const isLoaded = ((sections.flags[relocations.relSection[row] ?? 0] ?? 0n) & SHF.alloc) !== 0n;
    if (!isLoaded) continue;
    const symbol = relocations.symbol[row] ?? -1;
    const hasSymbol = symbol >= 0 && relocations.symbolNumber[row] !== 0;
    const addend = relocations.addend[row] ?? 0n;
    addTo(found, relocations.offset[row] ?? 0n, {
      type: typesOfEntry(model, relocIndex(row))[0]?.name ?? '',
      symbol: hasSymbol ? symbolName(symbols, symbolIndex(symbol)) : '',
      value: (hasSymbol ? (symbols.value[symbol] ?? 0n) : 0n) + addend,
      addend,
      isExplicit: relocations.addendSource[row] === AddendSource.explicit,
    });
  }
  return found;
}

/** Returns an entry as text: `R_X86_64_64 of init_var + 0x8`, `R_X86_64_RELATIVE of 0xc40`. */
export function dynamicText({ type, symbol, addend, isExplicit }: DynamicRelocation): string {
  const known = isExplicit ? addend : 0n;
  if (symbol === '') return isExplicit ? `${type} of ${signedHex(addend)}` : type;
  if (known === 0n) return `${type} of ${symbol}`;
  return `${type} of ${symbol} ${known < 0n ? '-' : '+'} ${hexText(known < 0n ? -known : known)}`;
}
