/** Tells whether a file has DWARF debugging information, and of which language. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { attemptAsync, type Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { firstUnitLanguage, languageName } from '#formats/dwarf/unit-language.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isNamed } from '#model/sections.ts';
import { isCompressed } from './section-code.ts';

export type DwarfInfo = {
  readonly section: SectionIndex;
  /** Language of the first unit, for example `C`; null if it cannot be told. */
  readonly language: string | null;
};

/** Bytes at the start of each section that contain the first unit's attributes. */
const MAX_READ = 64 * 1024;

/** Returns what `.debug_info` tells; null if the file has none. Rejects if `source` rejects. */
export async function dwarfOf(model: ObjectModel, source: ByteSource): Promise<DwarfInfo | null> {
  if (model.format !== 'elf') return null;
  const section = sectionNamed(model, '.debug_info');
  const abbrev = sectionNamed(model, '.debug_abbrev');
  if (section === null) return null;
  if (abbrev === null) return { section, language: null };
  const issues: Issue[] = [];
  const language = await attemptAsync(issues, async () => {
    const info = await readStart(model, source, section);
    return firstUnitLanguage(info, await readStart(model, source, abbrev));
  });
  return { section, language: language === null ? null : languageName(language) };
}

function sectionNamed({ sections }: ObjectModel, name: string): SectionIndex | null {
  for (let i = 1; i < sections.count; i++) {
    const index = sectionIndex(i);
    if (!isNamed(sections, index, name) || isCompressed(sections, index)) continue;
    if ((sections.byteLength[i] ?? 0) > 0) return index;
  }
  return null;
}

async function readStart(
  { sections, endian }: ObjectModel,
  source: ByteSource,
  section: SectionIndex,
): Promise<ByteReader> {
  const start = sections.fileOffset[section] ?? 0;
  const length = Math.min(sections.byteLength[section] ?? 0, MAX_READ);
  const bytes = await source.read(start, start + length);
  return new ByteReader(bytes, 'DWARF', endian, start);
}
