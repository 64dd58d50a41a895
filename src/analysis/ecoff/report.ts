/**
 * All that a reader finds in an eCOFF file, as one tree of plain values with the
 * field names of the C headers: what `--json` prints.
 */
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
import { sectionNumberOf } from '#formats/ecoff/relocations.ts';
import {
  hasRawData,
  SECTION_HEADER,
  type SectionHeader,
  sectionFlagNames,
} from '#formats/ecoff/section-headers.ts';
import { reportComment } from './report-comment.ts';
import { reportRelocations } from './report-relocations.ts';
import { number, type ReportRow, type ReportValue, structRow } from './report-value.ts';

/** The report of a file. Numbers that a double cannot hold exactly are bigints. */
export function ecoffReport(file: EcoffFile): ReportRow {
  return {
    file_size: file.bytes.length,
    filehdr: reportFileHeader(file),
    aouthdr: reportOptionalHeader(file),
    sections: file.sections.map(reportSection),
    symbolic_header: reportSymbolicHeader(file),
    externals: file.externals === null ? [] : reportExternals(file.externals),
    relocations: reportRelocations(file),
    comment: reportComment(file),
  };
}

/** How a compressed object was packed; null for one that was not. */
export function compressionReport(file: EcoffFile): ReportRow | null {
  if (file.compressed === null) return null;
  return {
    uncompressed_size: number(file.compressed.uncompressedSize),
    compressed_stream_offset: file.compressed.streamOffset,
  };
}

function reportFileHeader({ header }: EcoffFile): ReportRow {
  return {
    file_offset: 0,
    size: FILE_HEADER.size,
    f_magic: header.fMagic,
    f_magic_name: magicName(header.fMagic),
    ...structRow(FILE_HEADER, header),
    f_flags_names: [...fileFlagNames(header.fFlags)],
    f_object_type: objectType(header.fFlags),
  };
}

function reportOptionalHeader({ optional }: EcoffFile): ReportValue {
  return (
    optional && {
      ...structRow(OPTIONAL_HEADER, optional),
      file_offset: FILE_HEADER.size,
      size: OPTIONAL_HEADER.size,
      magic_name: optionalMagicName(optional.magic),
    }
  );
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

function reportSymbolicHeader({ symbolic }: EcoffFile): ReportValue {
  return (
    symbolic && {
      ...structRow(SYMBOLIC_HEADER, symbolic),
      file_offset: symbolic.fileOffset,
      size: SYMBOLIC_HEADER.size,
    }
  );
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
