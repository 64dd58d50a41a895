/** Texts for sections and symbols of an eCOFF file, in the format's terms. */
import type { SectionTypeText, SymbolText } from '#analysis/objects/format-module.ts';
import { ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt, storageClassName, symbolTypeName } from '#formats/ecoff/external-symbols.ts';
import { sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import { type SectionIndex, type SymbolIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

/** Returns the `STYP_` names of a section. Row 0 of the model does not belong to the file. */
export function sectionType(model: ObjectModel, section: SectionIndex): SectionTypeText {
  const header = ecoffFile(model)?.sections[section - 1];
  const type = header === undefined ? 'none' : sectionFlagNames(header.sFlags).join(' ');
  return { type, flags: '' };
}

/** Returns symbol type and storage class; null if the symbol is not in the file. */
export function symbolPlaceText(model: ObjectModel, symbol: SymbolIndex): SymbolText | null {
  const externals = ecoffFile(model)?.externals;
  const external = externals ? externalAt(externals, symbol) : null;
  if (external === null) return null;
  const section = model.symbols.section[symbol] ?? 0;
  const name = section > 0 ? sectionName(model.sections, sectionIndex(section)) : '';
  const { st, sc, isWeak } = external;
  const storage = storageClassName(sc) ?? `sc ${sc}`;
  return {
    type: `${symbolTypeName(st) ?? `st ${st}`}${isWeak ? ', weak' : ''}`,
    place: name === '' ? storage : `${storage}, ${name}`,
  };
}
