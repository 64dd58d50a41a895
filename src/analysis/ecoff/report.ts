/**
 * All that a reader finds in an eCOFF file, as one tree of plain values with the
 * field names of the C headers: what `--json` prints.
 */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { EXTERNAL_SIZE, type ExternalTable, externalAt } from '#formats/ecoff/external-symbols.ts';
import {
  FILE_HEADER_SIZE,
  fileFlagNames,
  magicName,
  objectType,
} from '#formats/ecoff/file-header.ts';
import { OPTIONAL_HEADER_SIZE, optionalMagicName } from '#formats/ecoff/optional-header.ts';
import {
  hasRawData,
  type SectionHeader,
  sectionFlagNames,
} from '#formats/ecoff/section-headers.ts';
import { sectionNumberOf } from '#formats/ecoff/section-numbers.ts';
import { storageClassName, symbolTypeName } from '#formats/ecoff/symbol-words.ts';
import {
  SYMBOLIC_COUNTS,
  SYMBOLIC_HEADER_SIZE,
  SYMBOLIC_PLACES,
} from '#formats/ecoff/symbolic-header.ts';
import { reportComment } from './report-comment.ts';
import { reportRelocations } from './report-relocations.ts';
import { number, type ReportRow, type ReportValue } from './report-value.ts';

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
    size: FILE_HEADER_SIZE,
    f_magic: header.fMagic,
    f_magic_name: magicName(header.fMagic),
    f_nscns: header.fNscns,
    f_timdat: header.fTimdat,
    f_symptr: number(header.fSymptr),
    f_nsyms: header.fNsyms,
    f_opthdr: header.fOpthdr,
    f_flags: header.fFlags,
    f_flags_names: [...fileFlagNames(header.fFlags)],
    f_object_type: objectType(header.fFlags),
  };
}

function reportOptionalHeader({ optional }: EcoffFile): ReportValue {
  if (optional === null) return null;
  return {
    magic: optional.magic,
    vstamp: optional.vstamp,
    bldrev: optional.bldrev,
    padcell: optional.padcell,
    tsize: number(optional.tsize),
    dsize: number(optional.dsize),
    bsize: number(optional.bsize),
    entry: number(optional.entry),
    text_start: number(optional.textStart),
    data_start: number(optional.dataStart),
    bss_start: number(optional.bssStart),
    gprmask: optional.gprmask,
    fprmask: optional.fprmask,
    gp_value: number(optional.gpValue),
    file_offset: FILE_HEADER_SIZE,
    size: OPTIONAL_HEADER_SIZE,
    magic_name: optionalMagicName(optional.magic),
  };
}

function reportSection(section: SectionHeader): ReportRow {
  return {
    index: section.index,
    file_offset: section.fileOffset,
    name: section.name,
    s_paddr: number(section.sPaddr),
    s_vaddr: number(section.sVaddr),
    s_size: number(section.sSize),
    s_scnptr: number(section.sScnptr),
    s_relptr: number(section.sRelptr),
    s_lnnoptr: number(section.sLnnoptr),
    s_nreloc: section.sNreloc,
    s_nlnno: section.sNlnno,
    s_flags: section.sFlags,
    s_flags_names: [...sectionFlagNames(section.sFlags)],
    r_sn: sectionNumberOf(section.name),
    has_raw_data: hasRawData(section),
  };
}

function reportSymbolicHeader({ symbolic }: EcoffFile): ReportValue {
  if (symbolic === null) return null;
  const row: Record<string, ReportValue> = { magic: symbolic.magic, vstamp: symbolic.vstamp };
  for (const name of SYMBOLIC_COUNTS) row[name] = symbolic.counts[name];
  for (const name of SYMBOLIC_PLACES) row[name] = number(symbolic.places[name]);
  row.file_offset = symbolic.fileOffset;
  row.size = SYMBOLIC_HEADER_SIZE;
  return row;
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
