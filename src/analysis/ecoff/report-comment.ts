/** The part of a report that is about `.comment` and the compact relocations in it. */
import { type CommentSubsection, commentTagName } from '#formats/ecoff/comment.ts';
import {
  COMPACT_EXPRESSION,
  COMPACT_GP_VALUE,
  COMPACT_HEADER,
  COMPACT_RECORD,
  COMPACT_SECTION,
  type CompactMeaning,
  type CompactRelocations,
  type CompactSection,
  compactExpressionAt,
  compactRecordAt,
} from '#formats/ecoff/compact.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { immedName, sectionNumberName } from '#formats/ecoff/relocations.ts';
import { hex, number, type ReportRow, type ReportValue, structRow } from './report-value.ts';

const RECORD_SIZE = COMPACT_RECORD.size;
const EXPRESSION_SIZE = COMPACT_EXPRESSION.size;
const BYTES_PER_INSN = 4;

/** The section's headers and what is in its data; null where the file has none. */
export function reportComment(file: EcoffFile): ReportValue {
  const { comment } = file;
  if (comment === null) return null;
  return {
    section_file_offset: comment.fileOffset,
    size: comment.size,
    subsections: comment.subsections.map((subsection, index) =>
      reportSubsection(file, subsection, index),
    ),
  };
}

function reportSubsection(
  file: EcoffFile,
  subsection: CommentSubsection,
  index: number,
): ReportRow {
  const { dataFileOffset, compact } = subsection;
  return {
    index,
    file_offset: subsection.fileOffset,
    cm_tag: subsection.cmTag,
    tag_name: commentTagName(subsection.cmTag),
    cm_len: subsection.cmLen,
    cm_val: number(subsection.cmVal),
    ...(dataFileOffset === null ? {} : { data_file_offset: dataFileOffset }),
    ...(compact === null ? {} : { compact: reportCompact(file, compact) }),
  };
}

function reportCompact(file: EcoffFile, compact: CompactRelocations): ReportRow {
  const { version_major, version_minor, ...file_header } = structRow(
    COMPACT_HEADER,
    compact.header,
  );
  return {
    version_major: version_major ?? 0,
    version_minor: version_minor ?? 0,
    file_header,
    sections: compact.sections.map(reportSection),
    rlc: rows(compact.records.count, (i) => reportRecord(file, compact, i)),
    expr: rows(compact.expressions.count, (i) => reportExpression(compact, i)),
    gpval: rows(compact.gpValues.count, (i) => ({
      index: i,
      file_offset: compact.gpValues.fileOffset + i * COMPACT_GP_VALUE.size,
      vaddr: number(compact.gpValues.vaddr[i] ?? 0n),
      gp_offset: compact.gpValues.gpOffset[i] ?? 0,
      reserved: compact.gpValues.reserved[i] ?? 0,
    })),
  };
}

function reportSection(section: CompactSection): ReportRow {
  const { sorted: _, ...row } = structRow(COMPACT_SECTION, section);
  const { name, isSorted, fileOffset } = section;
  return { ...row, name, rlc_sorted: Number(isSorted), file_offset: fileOffset };
}

function reportRecord(file: EcoffFile, compact: CompactRelocations, index: number): ReportRow {
  const record = compactRecordAt(compact.records, index);
  const fileOffset = compact.records.fileOffset + index * RECORD_SIZE;
  return {
    index,
    file_offset: fileOffset,
    raw: hex(file.bytes.subarray(fileOffset, fileOffset + RECORD_SIZE)),
    v_offset: record.vOffset,
    type: record.type,
    type_name: record.typeName,
    ...reportMeaning(record.meaning),
  };
}

function reportMeaning(meaning: CompactMeaning): ReportRow {
  switch (meaning.kind) {
    case 'address':
      return { ...sectionRow(meaning.relScn), count: meaning.count };
    case 'gpdisp':
      return {
        lda_offset: meaning.ldaOffset,
        lda_byte_distance: meaning.ldaOffset * BYTES_PER_INSN,
      };
    case 'other':
      return {
        ...sectionRow(meaning.relScn),
        ...(meaning.isAssumed ? { layout_assumed: 'other' } : {}),
      };
    case 'expression':
      return { index_in_expr: meaning.index };
    case 'immed-high':
      return {
        subop: meaning.subop,
        br_offset: meaning.brOffset,
        subop_name: immedName(meaning.subop),
      };
    case 'immed-low':
      return {
        subop: meaning.subop,
        ...sectionRow(meaning.relScn),
        subop_name: immedName(meaning.subop),
      };
    case 'adjust':
      return { adjust: meaning.adjust };
    case 'nothing':
      return {};
  }
}

function reportExpression(compact: CompactRelocations, index: number): ReportRow {
  const entry = compactExpressionAt(compact.expressions, index);
  return {
    index,
    file_offset: compact.expressions.fileOffset + index * EXPRESSION_SIZE,
    vaddr: number(entry.vaddr),
    type: entry.type,
    type_name: entry.typeName,
    ...sectionRow(entry.relScn),
    offset: entry.offset,
    size: entry.size,
    last: Number(entry.isLast),
    reserved: entry.reserved,
  };
}

function sectionRow(relScn: number): ReportRow {
  return { rel_scn: relScn, rel_scn_name: sectionNumberName(relScn) };
}

function rows(count: number, row: (index: number) => ReportRow): readonly ReportRow[] {
  return Array.from({ length: count }, (_, index) => row(index));
}
