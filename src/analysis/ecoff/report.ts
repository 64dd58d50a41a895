/** Creates the report of an eCOFF file: plain values with the field names of the C headers. */
import { type Cases, caseOf } from '#bytes/one-of.ts';
import { hexDigits } from '#bytes/text.ts';
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
import {
  EXTERNAL_SIZE,
  type ExternalTable,
  externalAt,
  storageClassName,
  symbolTypeName,
} from '#formats/ecoff/external-symbols.ts';
import {
  FILE_HEADER,
  fileFlagNames,
  magicName,
  OPTIONAL_HEADER,
  objectType,
  optionalMagicName,
  SYMBOLIC_HEADER,
} from '#formats/ecoff/headers.ts';
import {
  immedName,
  RELOCATION_SIZE,
  type RelocationTable,
  relocationAt,
  relocationTypeName,
  sectionNumberName,
  sectionNumberOf,
} from '#formats/ecoff/relocations.ts';
import {
  hasRawData,
  SECTION_HEADER,
  type SectionHeader,
  sectionFlagNames,
} from '#formats/ecoff/section-headers.ts';
import { subtypeName, symbolText, symndxRole } from './entry-text.ts';
import { type Group, groupIndexes, groupsOf } from './groups.ts';
import { gpDeltas, headerGp } from './layout.ts';
import { listingLine } from './listing.ts';
import { number, type ReportRow, type ReportValue, structRow } from './report-value.ts';
import { type Site, sitesOf } from './sites.ts';

/** Returns the report of a file. Numbers that a double cannot represent exactly are bigints. */
export function ecoffReport(file: EcoffFile): ReportRow {
  return {
    file_size: file.bytes.length,
    filehdr: {
      file_offset: 0,
      size: FILE_HEADER.size,
      f_magic: file.header.fMagic,
      f_magic_name: magicName(file.header.fMagic),
      ...structRow(FILE_HEADER, file.header),
      f_flags_names: [...fileFlagNames(file.header.fFlags)],
      f_object_type: objectType(file.header.fFlags),
    },
    aouthdr: file.optional && {
      ...structRow(OPTIONAL_HEADER, file.optional),
      file_offset: FILE_HEADER.size,
      size: OPTIONAL_HEADER.size,
      magic_name: optionalMagicName(file.optional.magic),
    },
    sections: file.sections.map(reportSection),
    symbolic_header: file.symbolic && {
      ...structRow(SYMBOLIC_HEADER, file.symbolic),
      file_offset: file.symbolic.fileOffset,
      size: SYMBOLIC_HEADER.size,
    },
    externals: file.externals === null ? [] : reportExternals(file.externals),
    relocations: file.relocations.flatMap((table) => {
      const section = file.sections[table.section];
      return section === undefined ? [] : [reportTable(file, section, table)];
    }),
    comment: reportComment(file),
  };
}

function reportSection(section: SectionHeader): ReportRow {
  return {
    index: section.index,
    file_offset: section.fileOffset,
    name: section.name,
    ...structRow(SECTION_HEADER, section),
    s_flags_names: [...sectionFlagNames(section.sFlags)],
    r_sn: sectionNumberOf(section.name),
    has_raw_data: hasRawData(section),
  };
}

function reportExternals(table: ExternalTable): readonly ReportRow[] {
  const rows: ReportRow[] = [];
  for (let index = 0; index < table.count; index++) {
    const symbol = externalAt(table, index);
    if (symbol === null) continue;
    rows.push({
      index,
      file_offset: table.fileOffset + index * EXTERNAL_SIZE,
      name: symbol.name,
      value: number(symbol.value),
      iss: symbol.iss,
      st: symbol.st,
      st_name: symbolTypeName(symbol.st),
      sc: symbol.sc,
      sc_name: storageClassName(symbol.sc),
      sym_index: symbol.symIndex,
      jmptbl: Number(symbol.isJmptbl),
      cobol_main: Number(symbol.isCobolMain),
      weakext: Number(symbol.isWeak),
      ifd: symbol.ifd,
    });
  }
  return rows;
}

function reportTable(file: EcoffFile, section: SectionHeader, table: RelocationTable): ReportRow {
  const groups = groupsOf(file, table);
  const groupOf = groupIndexes(table, groups);
  const deltas = gpDeltas(table);
  const entries: ReportRow[] = [];
  for (let n = 0; n < table.count; n++) {
    const gp = headerGp(file) + BigInt(deltas[n] ?? 0);
    entries.push(reportEntry(file, section, table, n, gp, groupOf[n] ?? -1));
  }
  return {
    section: section.name,
    relptr: number(section.sRelptr),
    s_nreloc: section.sNreloc,
    overflow: table.overflow,
    count: table.count,
    entries,
    groups: groups.map(reportGroup),
  };
}

function reportEntry(
  file: EcoffFile,
  section: SectionHeader,
  table: RelocationTable,
  n: number,
  gp: bigint,
  group: number,
): ReportRow {
  const entry = relocationAt(table, n);
  const fileOffset = table.fileOffset + n * RELOCATION_SIZE;
  const isCount = n === 0 && table.overflow;
  return {
    n,
    file_offset: fileOffset,
    raw: hexDigits(file.bytes.subarray(fileOffset, fileOffset + RELOCATION_SIZE)),
    vaddr: number(entry.rVaddr),
    symndx: entry.rSymndx,
    type: entry.rType,
    type_name: relocationTypeName(entry.rType),
    extern: Number(entry.rExtern),
    offset: entry.rOffset,
    reserved: entry.rReserved,
    size: entry.rSize,
    subtype: subtypeName(entry),
    symndx_role: symndxRole(entry),
    symbol_text: symbolText(file, entry),
    ...(isCount ? { note: 'overflow count entry' } : {}),
    highlight: sitesOf(file, section, entry).map(reportSite),
    listing: listingLine(file, entry),
    gp_in_effect: number(gp),
    ...(group < 0 ? {} : { group }),
  };
}

function reportSite(site: Site): ReportRow {
  const place = {
    role: site.role,
    vaddr: number(site.vaddr),
    section_offset: number(site.sectionOffset),
    nbytes: site.byteCount,
    bit_start: site.bitStart,
    bit_length: site.bitLength,
  };
  if (site.found === null) return { ...place, error: 'outside the raw data of the section' };
  return {
    ...place,
    file_offset: site.found.fileOffset,
    bytes: hexDigits(site.found.bytes),
    field_value: number(site.found.fieldValue),
  };
}

function reportGroup(group: Group, id: number): ReportRow {
  return {
    id,
    kind: group.kind,
    members: [...group.members],
    ...reportDetail(group),
    ...(group.error === null ? {} : { error: group.error }),
  };
}

function reportDetail({ detail }: Group): Record<string, ReportValue> {
  if (detail === null) return {};
  switch (detail.of) {
    case 'gpdisp':
      return {
        first_vaddr: number(detail.firstVaddr),
        second_vaddr: number(detail.secondVaddr),
        ...(detail.hasPartnerMarker ? { old_style_partner_marker: true } : {}),
      };
    case 'gp-range':
      return { start_vaddr: number(detail.startVaddr), gp_value: number(detail.gpValue) };
    case 'branch':
      return { branch_distance: detail.branchDistance };
    case 'expression':
      return {
        depth_max: detail.depthMax,
        ...(detail.infix.length === 0 ? {} : { infix: detail.infix.join('; ') }),
        ...(detail.left.length === 0 ? {} : { left: [...detail.left] }),
      };
  }
}

const RECORD_SIZE = COMPACT_RECORD.size;
const EXPRESSION_SIZE = COMPACT_EXPRESSION.size;
const BYTES_PER_INSN = 4;

/** Returns headers and data of the comment section; null if the file has no comment section. */
function reportComment(file: EcoffFile): ReportValue {
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
    sections: compact.sections.map(reportCompactSection),
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

function reportCompactSection(section: CompactSection): ReportRow {
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
    raw: hexDigits(file.bytes.subarray(fileOffset, fileOffset + RECORD_SIZE)),
    v_offset: record.vOffset,
    type: record.type,
    type_name: record.typeName,
    ...caseOf(MEANING_ROW, 'kind', record.meaning),
  };
}

const MEANING_ROW: Cases<'kind', CompactMeaning, [], ReportRow> = {
  address: (meaning) => ({ ...sectionRow(meaning.relScn), count: meaning.count }),
  gpdisp: (meaning) => ({
    lda_offset: meaning.ldaOffset,
    lda_byte_distance: meaning.ldaOffset * BYTES_PER_INSN,
  }),
  other: (meaning) => ({
    ...sectionRow(meaning.relScn),
    ...(meaning.isAssumed ? { layout_assumed: 'other' } : {}),
  }),
  expression: (meaning) => ({ index_in_expr: meaning.index }),
  'immed-high': (meaning) => ({
    subop: meaning.subop,
    br_offset: meaning.brOffset,
    subop_name: immedName(meaning.subop),
  }),
  'immed-low': (meaning) => ({
    subop: meaning.subop,
    ...sectionRow(meaning.relScn),
    subop_name: immedName(meaning.subop),
  }),
  adjust: (meaning) => ({ adjust: meaning.adjust }),
  nothing: () => ({}),
};

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
