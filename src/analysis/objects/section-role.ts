/** Determines the role of a section, such as program or data, for texts about relocations. */
import { SHF } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, isNamed, nameStartsWith, type SectionTable } from '#model/sections.ts';

export type SectionRole = 'program' | 'data' | 'btf' | 'btf-ext' | 'debug' | 'other';

const SHF_STRINGS = 0x20n;

/** Returns the role of a section; `other` for section -1, which means no section. */
export function sectionRole(model: ObjectModel, section: number): SectionRole {
  if (section <= 0 || section >= model.sections.count) return 'other';
  const index = sectionIndex(section);
  const { sections } = model;
  if (isNamed(sections, index, '.BTF') || isNamed(sections, index, '.BTF.base')) return 'btf';
  if (isNamed(sections, index, '.BTF.ext')) return 'btf-ext';
  if (isDebug(sections, index)) return 'debug';
  if (isCode(sections, index)) return 'program';
  return ((sections.flags[section] ?? 0n) & SHF.alloc) === 0n ? 'other' : 'data';
}

function isDebug(sections: SectionTable, index: SectionIndex): boolean {
  return (
    nameStartsWith(sections, index, '.debug_') ||
    nameStartsWith(sections, index, '.zdebug_') ||
    isNamed(sections, index, '.eh_frame')
  );
}

/** Returns true if the section contains map definitions: `.maps`, or `maps` of legacy objects. */
export function holdsMaps(model: ObjectModel, section: SectionIndex): boolean {
  const { sections } = model;
  return (
    isBpf(model) && (isNamed(sections, section, '.maps') || isNamed(sections, section, 'maps'))
  );
}

/** Returns true if the section contains only strings. */
export function holdsStrings(model: ObjectModel, section: SectionIndex): boolean {
  return ((model.sections.flags[section] ?? 0n) & SHF_STRINGS) !== 0n;
}
