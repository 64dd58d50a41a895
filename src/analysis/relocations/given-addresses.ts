/** Addresses that a user gives in place of a linker: of sections, undefined symbols and bases. */
import { SHN, STB } from '#formats/elf/constants.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolBinding, symbolName } from '#model/symbols.ts';
import type { LinkAddresses } from './evaluated.ts';
import { localEntryOffset, SYMBOL_BASES } from './linked-file.ts';

/** Names of bases that a user can give, with their names in formulas. */
export const GIVEN_BASES: Readonly<Record<string, string>> = {
  GOT: 'GOT',
  TOC: 'TOC',
  GP: 'GP',
  TP: 'TPB',
  DTP: 'DTPB',
};

export type GivenAddresses = {
  /** Addresses by section name, or by `NAME#INDEX` with the section's number. */
  readonly sections: ReadonlyMap<string, bigint>;
  readonly symbols: ReadonlyMap<string, bigint>;
  /** Addresses by name in formulas: `GOT`, `TPB`. */
  readonly bases: ReadonlyMap<string, bigint>;
};

/** Returns the addresses of `model` that follow from the given ones. */
export function givenAddresses(model: ObjectModel, given: GivenAddresses): LinkAddresses {
  const { sections, symbols } = model;
  const starts = Array.from({ length: sections.count }, (_, i) => {
    const name = sectionName(sections, sectionIndex(i));
    return given.sections.get(`${name}#${i}`) ?? given.sections.get(name) ?? null;
  });
  const place = (section: number, offset: bigint) => {
    const start = starts[section] ?? null;
    return start === null ? null : start + offset;
  };
  return {
    place,
    symbol: (symbol) => {
      const value = symbols.value[symbol] ?? 0n;
      if (symbols.shndx[symbol] === SHN.abs) return value;
      const section = symbols.section[symbol] ?? 0;
      if (section > 0) return place(section, value);
      const name = symbolName(symbols, symbol);
      if (name === '_gp_disp') return 0n;
      const stated = given.symbols.get(name) ?? null;
      if (stated !== null) return stated;
      const base = SYMBOL_BASES[name];
      const known = base === undefined ? null : (given.bases.get(base) ?? null);
      const isKnown = given.sections.size > 0 && symbolBinding(symbols, symbol) === STB.weak;
      return known ?? (isKnown ? 0n : null);
    },
    joinedSymbol: () => null,
    size: (symbol) => (symbols.section[symbol] === 0 ? null : (symbols.size[symbol] ?? null)),
    base: (name) => given.bases.get(name) ?? (name === 'GP0' ? 0n : null),
    slot: () => null,
    localEntry: (symbol) =>
      localEntryOffset(model.machine?.number ?? 0, symbols.other[symbol] ?? 0),
    linkedBytes: () => null,
    dynamic: () => null,
  };
}
