/** How issues name a section and where they point to. */
import type { Issue } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { type SectionHeaderFieldName, sectionHeaderSpan } from '#formats/elf/records.ts';
import { sectionIndex } from '#model/ids.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';

/** File span of a field of a section's header. */
export function sectionFieldSpan(
  sections: SectionTable,
  header: Pick<ElfHeader, 'elfClass'>,
  index: number,
  field: SectionHeaderFieldName,
): Span {
  const { start, end } = sectionHeaderSpan(header.elfClass, field);
  return spanOf((sections.headerOffset[index] ?? 0) + start, end - start);
}

/** The section's name, or its number where it has none. */
export function sectionLabel(sections: SectionTable, index: number): string {
  return sectionName(sections, sectionIndex(index)) || `section ${index}`;
}

/** What there is to say about a section whose end lies behind that of the file. `fileSize` in bytes. */
export function pastEndIssue(
  sections: SectionTable,
  header: Pick<ElfHeader, 'elfClass'>,
  index: number,
  fileSize: number,
): Issue {
  const offset = sections.declaredOffset[index] ?? 0n;
  const field = offset > BigInt(fileSize) ? 'sh_offset' : 'sh_size';
  const label = sectionLabel(sections, index);
  return {
    severity: 'error',
    code: 'elf.section-past-end',
    region: label,
    message: `${label}: past the end of the file`,
    span: sectionFieldSpan(sections, header, index, field),
    expected: `a section inside ${fileSize} bytes`,
    found: `sh_offset ${offset}, sh_size ${sections.declaredSize[index] ?? 0n}`,
  };
}
