/** The headers of an eCOFF file, field by field, ready to be read by a person. */
import { shownFields } from '#bytes/c-struct.ts';
import { commentTagName, SUBSECTION_HEADER } from '#formats/ecoff/comment.ts';
import { COMPACT_HEADER } from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  FILE_HEADER,
  fileFlagNames,
  magicName,
  OPTIONAL_HEADER,
  objectType,
  optionalMagicName,
  SYMBOLIC_HEADER,
} from '#formats/ecoff/headers.ts';
import { SECTION_HEADER, sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import type { HeaderBlock } from '#model/object-model.ts';

/** More sections than objects have, or subsections than tools write; each has a line in the overview. */
const MAX_BLOCKS = 32;

/** File, optional and section headers, the symbolic header, and those of compact relocations. */
export function* ecoffHeaderBlocks(file: EcoffFile): Generator<HeaderBlock> {
  const { header, optional, symbolic, sections } = file;
  const block = (title: string, start: number, fields: HeaderBlock['fields']): HeaderBlock => ({
    title,
    span: { start, end: fields.at(-1)?.span.end ?? start },
    fields,
  });
  const flags = [...fileFlagNames(header.fFlags), objectType(header.fFlags)];
  const fileMeanings = {
    fMagic: magicName(header.fMagic) ?? '',
    fTimdat: header.fTimdat === 0 ? '' : new Date(header.fTimdat * 1000).toISOString(),
    ...(header.fSymptr === 0n ? { fSymptr: 'stripped' } : {}),
    fFlags: flags.filter((name) => name !== 'none').join(' | '),
  };
  yield block('file header', 0, shownFields(FILE_HEADER, 0, header, fileMeanings));
  if (optional !== null) {
    const vstamp = `version ${optional.vstamp >> 8}.${optional.vstamp & 0xff}`;
    const meanings = { magic: optionalMagicName(optional.magic) ?? '', vstamp };
    const start = FILE_HEADER.size;
    yield block('optional header', start, shownFields(OPTIONAL_HEADER, start, optional, meanings));
  }
  for (const section of sections.slice(0, MAX_BLOCKS)) {
    const { index, name, fileOffset } = section;
    const meanings = { sFlags: sectionFlagNames(section.sFlags).join(' | ') };
    const values = { ...section, sName: name };
    const fields = shownFields(SECTION_HEADER, fileOffset, values, meanings);
    yield block(`section header ${index + 1}: ${name}`, fileOffset, fields);
  }
  if (symbolic !== null) {
    const start = symbolic.fileOffset;
    yield block('symbolic header', start, shownFields(SYMBOLIC_HEADER, start, symbolic));
  }
  for (const [i, subsection] of (file.comment?.subsections ?? []).slice(0, MAX_BLOCKS).entries()) {
    const { fileOffset, dataFileOffset, compact, cmTag, cmLen } = subsection;
    const meanings = {
      cmTag: commentTagName(cmTag) ?? '',
      cmLen: cmLen === 0 ? 'no data: cm_val is the datum' : 'bytes of data',
      cmVal: cmLen === 0 ? '' : 'offset of the data in the section',
    };
    const fields = shownFields(SUBSECTION_HEADER, fileOffset, subsection, meanings);
    yield block(`comment subsection ${i}`, fileOffset, fields);
    if (compact === null || dataFileOffset === null) continue;
    const compactFields = shownFields(COMPACT_HEADER, dataFileOffset, compact.header);
    yield block('compact relocation header', dataFileOffset, compactFields);
  }
}
