/** Reads the DWARF of a stripped file from the debug file beside it. */
import { append } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { SHF } from '#formats/elf/constants.ts';
import { sectionIndex } from '#model/ids.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';
import { type IngestedDwarf, ingestDwarf } from './dwarf.ts';
import { type ElfParts, ingestElf } from './elf.ts';
import type { IngestOptions } from './ingest-options.ts';

/**
 * Returns the types of `debugFile` with places in the sections of `elf`, the stripped file; null
 * without DWARF. Issues have no spans, because the bytes are not those of the stripped file.
 */
export async function ingestDebugFile(
  debugFile: ByteSource,
  elf: ElfParts,
  issues: Issue[],
  options: IngestOptions,
): Promise<IngestedDwarf | null> {
  const own: Issue[] = [];
  const debug = await ingestElf(debugFile, own, { ...options, sectionsOnly: true });
  const read = await ingestDwarf(debugFile, debug, own, options);
  append(
    issues,
    own.map((issue) => ({ ...issue, span: null, region: `${debugFile.name}: ${issue.region}` })),
  );
  if (read === null) return null;
  const { types, facts } = read;
  const { places } = facts;
  const sections = sameSections(debug.sections, elf.sections);
  return {
    types,
    facts: {
      ...facts,
      section: null,
      debugFile: debugFile.name,
      places: places && {
        ...places,
        section: places.section.map((index) => sections[index] ?? -1),
      },
    },
  };
}

/** Returns the section of `stripped` for each of `debug`: that with its name and address, or -1. */
function sameSections(debug: SectionTable, stripped: SectionTable): Int32Array {
  const keyOf = (sections: SectionTable, index: number) =>
    `${sections.addr[index]} ${sectionName(sections, sectionIndex(index))}`;
  const known = new Map<string, number>();
  for (let i = 1; i < stripped.count; i++) {
    if (((stripped.flags[i] ?? 0n) & SHF.alloc) !== 0n) known.set(keyOf(stripped, i), i);
  }
  return Int32Array.from({ length: debug.count }, (_, i) => known.get(keyOf(debug, i)) ?? -1);
}
