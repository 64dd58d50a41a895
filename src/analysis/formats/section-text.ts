/** Texts about sections and symbols in the terms of the file's format. */
import type { SectionTypeText, SymbolText } from '#analysis/objects/format-module.ts';
import {
  reservedSectionName,
  symbolBindingName,
  symbolTypeName,
  symbolVisibilityName,
} from '#formats/elf/constants.ts';
import { sectionFlagLetters, sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, type SymbolIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { formatModule } from './registry.ts';

/** Returns type and flags of a section in the terms of the file's format. */
export function sectionTypeText(model: ObjectModel, section: SectionIndex): SectionTypeText {
  const format = formatModule(model);
  if (format !== null) return format.sectionType(model, section);
  const { sections, machine } = model;
  const number = machine?.number ?? 0;
  return {
    type: sectionTypeName(sections.type[section] ?? 0, number),
    flags: sectionFlagLetters(sections.flags[section] ?? 0n, number),
  };
}

/** Texts about a symbol. Binding and visibility are empty if the format lacks them. */
export type SymbolFacts = SymbolText & { readonly binding: string; readonly visibility: string };

/** Returns the texts about a symbol in the terms of the file's format. */
export function symbolText(model: ObjectModel, symbol: SymbolIndex): SymbolFacts {
  const text = formatModule(model)?.symbolText(model, symbol) ?? null;
  if (text !== null) return { ...text, binding: '', visibility: '' };
  const { symbols, sections } = model;
  const section = symbols.section[symbol] ?? 0;
  const name = section > 0 ? sectionName(sections, sectionIndex(section)) : '';
  return {
    type: symbolTypeName(symbolType(symbols, symbol)),
    binding: symbolBindingName(symbolBinding(symbols, symbol)),
    visibility: symbolVisibilityName(symbols.other[symbol] ?? 0, model.machine?.number ?? 0),
    place: name || (reservedSectionName(symbols.shndx[symbol] ?? 0) ?? ''),
  };
}

/** Returns the name of a symbol, not escaped; for a section symbol the section's name. */
export function symbolLabel(model: ObjectModel, symbol: SymbolIndex): string {
  const name = symbolName(model.symbols, symbol);
  const section = model.symbols.section[symbol] ?? 0;
  return name === '' && symbolType(model.symbols, symbol) === SymbolType.SECTION && section > 0
    ? sectionName(model.sections, sectionIndex(section))
    : name;
}
