/** What a section is for, told from its type, flags and name. */
import { sectionTypeName } from '#formats/elf/section-types.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, isNamed, nameStartsWith } from '#model/sections.ts';
import type { Tone } from '#ui/tone.ts';

export type Family =
  | 'header'
  | 'code'
  | 'data'
  | 'btf'
  | 'relocations'
  | 'symbols'
  | 'debug'
  | 'other'
  | 'gap';

/** The families in the order of the legend, each with its word and its tone. */
export const FAMILIES: Readonly<Record<Family, { readonly word: string; readonly tone: Tone }>> = {
  code: { word: 'Code', tone: 'kind-func' },
  data: { word: 'Data', tone: 'kind-data' },
  btf: { word: 'BTF', tone: 'kind-composite' },
  relocations: { word: 'Relocations', tone: 'reloc-2' },
  symbols: { word: 'Symbols and strings', tone: 'kind-array' },
  debug: { word: 'Debug info', tone: 'kind-modifier' },
  header: { word: 'Headers', tone: 'kind-unknown' },
  other: { word: 'Other', tone: 'kind-enum' },
  gap: { word: 'In no section', tone: 'muted' },
};

const SHF_ALLOC = 2n;

const FAMILY_OF_TYPE: ReadonlyMap<string, Family> = new Map([
  ['REL', 'relocations'],
  ['RELA', 'relocations'],
  ['RELR', 'relocations'],
  ['CREL', 'relocations'],
  ['ANDROID_REL', 'relocations'],
  ['ANDROID_RELA', 'relocations'],
  ['ANDROID_RELR', 'relocations'],
  ['SYMTAB', 'symbols'],
  ['DYNSYM', 'symbols'],
  ['STRTAB', 'symbols'],
  ['SYMTAB SECTION INDICES', 'symbols'],
  ['HASH', 'symbols'],
  ['GNU_HASH', 'symbols'],
]);

const BTF_NAMES = ['.BTF', '.BTF_ids'];
const DEBUG_STARTS = ['.debug_', '.zdebug_', '.stab', '.line'];

/** The family of a section. The name counts only where type and flags leave it open. */
export function sectionFamily(model: ObjectModel, section: SectionIndex): Family {
  const type =
    model.format !== 'elf'
      ? ''
      : sectionTypeName(model.sections.type[section] ?? 0, model.machine?.number ?? 0);
  const byType = FAMILY_OF_TYPE.get(type);
  if (byType !== undefined) return byType;
  const { sections } = model;
  if (isCode(sections, section)) return 'code';
  if (BTF_NAMES.some((name) => isNamed(sections, section, name))) return 'btf';
  if (nameStartsWith(sections, section, '.BTF.')) return 'btf';
  if (DEBUG_STARTS.some((start) => nameStartsWith(sections, section, start))) return 'debug';
  return ((model.sections.flags[section] ?? 0n) & SHF_ALLOC) !== 0n ? 'data' : 'other';
}
