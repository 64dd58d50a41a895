/** What a section is for, as far as relocations on it are concerned. */
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';

export type SectionRole = 'program' | 'data' | 'btf' | 'btf-ext' | 'debug' | 'other';

const ALLOC = 2n;
const STRINGS = 0x20n;

/** -1 for no section gives `other`. */
export function sectionRole(model: ObjectModel, section: number): SectionRole {
  if (section <= 0 || section >= model.sections.count) return 'other';
  const index = sectionIndex(section);
  const name = sectionName(model.sections, index);
  if (name === '.BTF' || name === '.BTF.base') return 'btf';
  if (name === '.BTF.ext') return 'btf-ext';
  if (/^\.z?debug_/.test(name) || name === '.eh_frame') return 'debug';
  if (isCode(model.sections, index)) return 'program';
  return ((model.sections.flags[section] ?? 0n) & ALLOC) === 0n ? 'other' : 'data';
}

/** Are the definitions of maps here: `.maps`, or `maps` of old objects? */
export function holdsMaps(model: ObjectModel, section: SectionIndex): boolean {
  const name = sectionName(model.sections, section);
  return isBpf(model) && (name === '.maps' || name === 'maps');
}

/** SHF_STRINGS: nothing but strings. */
export function holdsStrings(model: ObjectModel, section: SectionIndex): boolean {
  return ((model.sections.flags[section] ?? 0n) & STRINGS) !== 0n;
}
