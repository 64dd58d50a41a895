/** Reads what an encoding takes from an ELF file. */
import type { EncodedFile } from '#analysis/encode/encode.ts';
import { encodedFile, sectionsToRead } from '#analysis/encode/encoded-file.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { DwarfReader } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from '#ingest/dwarf-sections.ts';
import { type ElfParts, readSection } from '#ingest/elf.ts';
import type { SectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';

/** Returns the file to encode; null if it has no DWARF. Rejects with `Malformed` if it is damaged. */
export async function readEncodedFile(
  source: ByteSource,
  elf: ElfParts,
): Promise<EncodedFile | null> {
  const issues: Issue[] = [];
  const loaded = await readDwarfSections(source, elf, issues);
  if (loaded === null) {
    const [issue] = issues;
    if (issue !== undefined) throw new Malformed(issue);
    return null;
  }
  const contents = new Map<SectionIndex, ByteReader>();
  for (const index of sectionsToRead(elf)) {
    const read = await readSection(source, elf, index, issues);
    if (read === null) continue;
    const region = sectionName(elf.sections, index);
    contents.set(index, new ByteReader(read.bytes, region, elf.endian, read.fileOffset ?? 0));
  }
  const parts = { ...elf, size: source.size };
  return encodedFile(parts, new DwarfReader(loaded.sections), loaded.addresses, contents);
}
