/** Sections and symbols in the words of their own format. */
import type { SectionTypeText, SymbolText } from '#analysis/objects/format-module.ts';
import { reservedSectionName, symbolBindingName, symbolTypeName } from '#formats/elf/constants.ts';
import { sectionFlagLetters, sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, type SymbolIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolBinding, symbolType } from '#model/symbols.ts';
import { formatModule } from './registry.ts';

/** Type and flags as the format names them. */
export function sectionTypeText(model: ObjectModel, section: SectionIndex): SectionTypeText {
  const own = formatModule(model);
  if (own !== null) return own.sectionType(model, section);
  const { sections, machine } = model;
  const number = machine?.number ?? 0;
  return {
    type: sectionTypeName(sections.type[section] ?? 0, number),
    flags: sectionFlagLetters(sections.flags[section] ?? 0n, number),
  };
}

/** What a symbol is and where it lies, as the format names it. */
export function symbolText(model: ObjectModel, symbol: SymbolIndex): SymbolText {
  const own = formatModule(model)?.symbolText(model, symbol) ?? null;
  if (own !== null) return own;
  const { symbols, sections } = model;
  const section = symbols.section[symbol] ?? 0;
  const name = section > 0 ? sectionName(sections, sectionIndex(section)) : '';
  return {
    type: `${symbolBindingName(symbolBinding(symbols, symbol))} ${symbolTypeName(symbolType(symbols, symbol))}`,
    place: name || (reservedSectionName(symbols.shndx[symbol] ?? 0) ?? ''),
  };
}
