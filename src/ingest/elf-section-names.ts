/** The table of section names, which `e_shstrndx` points to. */
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type ElfHeader, elfHeaderSpan } from '#formats/elf/header.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { SectionTable } from '#model/sections.ts';
import { sectionFieldSpan } from './elf-places.ts';

/** String tables are held whole, so that a name costs no read; none is held beyond this. */
export const MAX_NAME_BYTES = 256 * 1024 * 1024;

/** Bytes and index of the table that `stored` names; none, with an issue, where they cannot be had. */
export async function readSectionNames(
  source: ByteSource,
  header: ElfHeader,
  sections: SectionTable,
  stored: number,
  issues: Issue[],
): Promise<{ readonly bytes: Uint8Array; readonly index: SectionIndex }> {
  const none = { bytes: new Uint8Array(0), index: sectionIndex(0) };
  if (sections.count === 0) return none;
  const unreadable = (severity: Issue['severity'], found: string): Issue => ({
    severity,
    code: 'elf.no-section-names',
    region: 'ELF header',
    message: `section names cannot be read: ${found}`,
    span: elfHeaderSpan(header.elfClass, 'e_shstrndx'),
    expected: `the index of a string table below ${sections.count}`,
    found: `${stored}`,
  });
  if (stored === 0) {
    issues.push(unreadable('warning', 'the file names no table of them'));
    return none;
  }
  if (stored >= sections.count) {
    issues.push(unreadable('error', `their table, section ${stored}, does not exist`));
    return none;
  }
  const start = sections.fileOffset[stored] ?? 0;
  const length = Math.min(sections.byteLength[stored] ?? 0, MAX_NAME_BYTES);
  if (length === 0) {
    issues.push(unreadable('error', `their table, section ${stored}, has no bytes`));
    return none;
  }
  if (sections.type[stored] !== SHT.strtab) {
    issues.push({
      severity: 'warning',
      code: 'elf.section-names-type',
      region: 'section headers',
      message: `the table of section names, section ${stored}, is not a string table: read as one`,
      span: sectionFieldSpan(sections, header, stored, 'sh_type'),
      expected: `${SHT.strtab} (SHT_STRTAB)`,
      found: `${sections.type[stored] ?? 0}`,
    });
  }
  return { bytes: await source.read(start, start + length), index: sectionIndex(stored) };
}
