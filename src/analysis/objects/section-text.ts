/** Sections and symbols in the words of their own format. */
import { externalAt } from '#formats/ecoff/external-symbols.ts';
import { sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import { storageClassName, symbolTypeName } from '#formats/ecoff/symbol-words.ts';
import {
  symbolTypeName as elfSymbolTypeName,
  reservedSectionName,
  symbolBindingName,
} from '#formats/elf/constants.ts';
import { sectionFlagLetters, sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, type SymbolIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolBinding, symbolType } from '#model/symbols.ts';

export type SectionTypeText = {
  /** `PROGBITS` as `llvm-readelf -S` prints it; the `STYP_` names of eCOFF. */
  readonly type: string;
  /** Letters; empty where the format has none. */
  readonly flags: string;
};

/** Type and flags as the format names them. */
export function sectionTypeText(model: ObjectModel, section: SectionIndex): SectionTypeText {
  const { sections, machine, ecoff } = model;
  if (ecoff === null) {
    const number = machine?.number ?? 0;
    return {
      type: sectionTypeName(sections.type[section] ?? 0, number),
      flags: sectionFlagLetters(sections.flags[section] ?? 0n, number),
    };
  }
  const header = ecoff.sections[section - 1];
  return {
    type: header === undefined ? 'none' : sectionFlagNames(header.sFlags).join(' '),
    flags: '',
  };
}

export type SymbolText = {
  /** `GLOBAL FUNC`; `stProc` of eCOFF. */
  readonly type: string;
  /** The section, or why it lies in none: `UND`, `scCommon`. Raw text. */
  readonly place: string;
};

/** What a symbol is and where it lies, as the format names it. */
export function symbolText(model: ObjectModel, symbol: SymbolIndex): SymbolText {
  const { symbols, sections, ecoff } = model;
  const section = symbols.section[symbol] ?? 0;
  const name = section > 0 ? sectionName(sections, sectionIndex(section)) : '';
  const external = ecoff?.externals ? externalAt(ecoff.externals, symbol) : null;
  if (external !== null) {
    const { st, sc, isWeak } = external;
    const storage = storageClassName(sc) ?? `sc ${sc}`;
    return {
      type: `${symbolTypeName(st) ?? `st ${st}`}${isWeak ? ', weak' : ''}`,
      place: name === '' ? storage : `${storage}, ${name}`,
    };
  }
  return {
    type: `${symbolBindingName(symbolBinding(symbols, symbol))} ${elfSymbolTypeName(symbolType(symbols, symbol))}`,
    place: name || (reservedSectionName(symbols.shndx[symbol] ?? 0) ?? ''),
  };
}
