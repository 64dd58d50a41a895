/** Reads the DWARF of a file with the bytes of other sections, for an encoding as BTF. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { DwarfReader } from '#formats/dwarf/reader.ts';
import type { SectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import { readDwarfSections } from './dwarf-sections.ts';
import { type ElfParts, readSection } from './elf.ts';

export type DwarfFile = {
  readonly dwarf: DwarfReader;
  /** Address of each section, to which addresses in DWARF refer. */
  readonly addresses: BigUint64Array;
  readonly contents: ReadonlyMap<SectionIndex, ByteReader>;
};

/** Reads DWARF and `sections`. Resolves to null without DWARF; rejects with `Malformed`. */
export async function readDwarfFile(
  source: ByteSource,
  elf: ElfParts,
  sections: readonly SectionIndex[],
): Promise<DwarfFile | null> {
  const issues: Issue[] = [];
  const loaded = await readDwarfSections(source, elf, issues);
  if (loaded === null) {
    const [issue] = issues;
    if (issue !== undefined) throw new Malformed(issue);
    return null;
  }
  const contents = new Map<SectionIndex, ByteReader>();
  for (const index of sections) {
    const read = await readSection(source, elf, index, issues);
    if (read === null) continue;
    const region = sectionName(elf.sections, index);
    contents.set(index, new ByteReader(read.bytes, region, elf.endian, read.fileOffset ?? 0));
  }
  return { dwarf: new DwarfReader(loaded.sections), addresses: loaded.addresses, contents };
}
