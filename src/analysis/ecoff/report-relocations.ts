/** The part of a report that is about relocation entries, their sites and their groups. */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  RELOCATION_SIZE,
  type Relocation,
  type RelocationTable,
  relocationAt,
  relocationTypeName,
} from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { subtypeName, symbolText, symndxRole } from './entry-text.ts';
import { gpDeltas, headerGp } from './gp-ranges.ts';
import { type Group, groupIndexes, groupsOf } from './groups.ts';
import { listingLine } from './listing-line.ts';
import { hex, number, type ReportRow, type ReportValue } from './report-value.ts';
import { type Site, sitesOf } from './sites.ts';

/** One row for each section that has entries. */
export function reportRelocations(file: EcoffFile): readonly ReportRow[] {
  return file.relocations.flatMap((table) => {
    const section = file.sections[table.section];
    return section === undefined ? [] : [reportTable(file, section, table)];
  });
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
    raw: hex(file.bytes.subarray(fileOffset, fileOffset + RELOCATION_SIZE)),
    ...reportFields(entry),
    symndx_role: symndxRole(entry),
    symbol_text: symbolText(file, entry),
    ...(isCount ? { note: 'overflow count entry' } : {}),
    highlight: sitesOf(file, section, entry).map(reportSite),
    listing: listingLine(file, entry),
    gp_in_effect: number(gp),
    ...(group < 0 ? {} : { group }),
  };
}

function reportFields(entry: Relocation): ReportRow {
  return {
    vaddr: number(entry.rVaddr),
    symndx: entry.rSymndx,
    type: entry.rType,
    type_name: relocationTypeName(entry.rType),
    extern: Number(entry.rExtern),
    offset: entry.rOffset,
    reserved: entry.rReserved,
    size: entry.rSize,
    subtype: subtypeName(entry),
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
    bytes: hex(site.found.bytes),
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
