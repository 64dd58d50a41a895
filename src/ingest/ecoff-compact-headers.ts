/**
 * The headers in `.comment`: of its subsections, and of the compact relocations
 * in one of them.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, sections
 * 4.4.2.2 and 4.4.2.3, and chapter 7.
 */
import { spanOf } from '#bytes/span.ts';
import { type CommentSubsection, commentTagName } from '#formats/ecoff/comment.ts';
import type { CompactRelocations } from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import type { HeaderBlock } from '#model/object-model.ts';
import { type FieldRow, fieldsInRow, hexOf } from './ecoff-fields.ts';

const SUBSECTION_HEADER_SIZE = 16;
const COMPACT_HEADER_SIZE = 72;
/** No tool writes as many; each has a line in the overview. */
const MAX_BLOCKS = 32;

/** A block for each subsection header, and one behind it for compact relocations. */
export function compactHeaderBlocks({ comment }: EcoffFile): readonly HeaderBlock[] {
  return (comment?.subsections ?? []).slice(0, MAX_BLOCKS).flatMap((subsection, i) => {
    const { fileOffset, dataFileOffset, compact } = subsection;
    const header: HeaderBlock = {
      title: `comment subsection ${i}`,
      span: spanOf(fileOffset, SUBSECTION_HEADER_SIZE),
      fields: fieldsInRow(fileOffset, subsectionRows(subsection)),
    };
    if (compact === null || dataFileOffset === null) return [header];
    const own: HeaderBlock = {
      title: 'compact relocation header',
      span: spanOf(dataFileOffset, COMPACT_HEADER_SIZE),
      fields: fieldsInRow(dataFileOffset, compactRows(compact)),
    };
    return [header, own];
  });
}

function subsectionRows({ cmTag, cmLen, cmVal }: CommentSubsection): readonly FieldRow[] {
  return [
    ['cm_tag', 4, hexOf(cmTag), commentTagName(cmTag) ?? ''],
    ['cm_len', 4, `${cmLen}`, cmLen === 0 ? 'no data: cm_val is the datum' : 'bytes of data'],
    ['cm_val', 8, hexOf(cmVal), cmLen === 0 ? '' : 'offset of the data in the section'],
  ];
}

function compactRows({
  versionMajor,
  versionMinor,
  header,
}: CompactRelocations): readonly FieldRow[] {
  return [
    ['version_major', 4, `${versionMajor}`, ''],
    ['version_minor', 4, `${versionMinor}`, ''],
    ['scn_num', 8, `${header.scnNum}`, 'section headers'],
    ['rlc_num', 8, `${header.rlcNum}`, 'compact records'],
    ['expr_num', 8, `${header.exprNum}`, 'entries of expressions'],
    ['gpval_num', 8, `${header.gpvalNum}`, 'gp values'],
    ['scn_off', 8, hexOf(header.scnOff), ''],
    ['rlc_off', 8, hexOf(header.rlcOff), ''],
    ['expr_off', 8, hexOf(header.exprOff), ''],
    ['gpval_off', 8, hexOf(header.gpvalOff), ''],
  ];
}
