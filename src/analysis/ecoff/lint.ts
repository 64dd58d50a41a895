/**
 * Entries of eCOFF files that parse but make no sense: those that have lost their
 * partners, and those that break what the document demands of their fields.
 */
import type { Issue } from '#bytes/issue.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  R,
  R_SN_LITA,
  R_SN_TLSBSS,
  R_SN_TLSDATA,
  RELOCATION_SIZE,
  type Relocation,
  type RelocationTable,
  relocationAt,
  relocationTypeName,
  sectionNumberName,
} from '#formats/ecoff/relocations.ts';
import { subtypeName, symndxRole } from './entry-text.ts';
import { groupIssues, tableFacts } from './groups.ts';
import { sitesOf } from './sites.ts';

/** Of one kind and table no more than these are told; the last says how many there are. */
const MOST_ISSUES = 200;

/** All findings, table by table. */
export function* ecoffFindings(file: EcoffFile): Generator<void, readonly Issue[]> {
  const issues: Issue[] = [];
  for (const table of file.relocations) {
    const name = file.sections[table.section]?.name ?? '';
    yield;
    issues.push(...fewOf(groupIssues(table, name, tableFacts(file, table).groups)));
    yield;
    issues.push(...fewOf(restrictionIssues(file, table)));
  }
  return issues;
}

function fewOf(issues: readonly Issue[]): readonly Issue[] {
  const last = issues[MOST_ISSUES];
  if (last === undefined) return issues;
  const more = issues.length - MOST_ISSUES;
  return [
    ...issues.slice(0, MOST_ISSUES),
    { ...last, message: `${last.message}; and ${more} more entries of this section` },
  ];
}

/**
 * Entries that break what the document demands of their fields. Partners are
 * the matter of `groups.ts`, results that of `relocate.ts`.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section
 * 4.2.1 and the restrictions in 4.3.4.
 */

const LOCAL_ONLY: ReadonlySet<number> = new Set([
  ...[R.literal, R.lituse, R.gpdisp, R.opStore, R.gpvalue, R.tlsLiteral],
]);
const LITA_ONLY: ReadonlySet<number> = new Set([R.literal, R.tlsLiteral]);
const TLS_HALVES: ReadonlySet<number> = new Set([R.tlsHigh, R.tlsLow]);

/** One issue for each entry of `table` that breaks a rule, at its bytes; the first rule it breaks. */
export function restrictionIssues(file: EcoffFile, table: RelocationTable): readonly Issue[] {
  const issues: Issue[] = [];
  const section = file.sections[table.section];
  for (let n = 0; n < table.count; n++) {
    const entry = relocationAt(table, n);
    const isOutside =
      section !== undefined && sitesOf(file, section, entry).some((site) => site.found === null);
    const rule = brokenRule(file, entry) ?? (isOutside ? 'points outside its section' : null);
    if (rule === null) continue;
    const start = table.fileOffset + n * RELOCATION_SIZE;
    issues.push({
      severity: 'warning',
      code: 'ecoff.relocation-field',
      message: `${section?.name ?? ''}: entry ${n}, ${relocationTypeName(entry.rType) ?? `type ${entry.rType}`}, ${rule}`,
      span: { start, end: start + RELOCATION_SIZE },
      region: `${section?.name ?? ''} relocations`,
    });
  }
  return issues;
}

function brokenRule(file: EcoffFile, entry: Relocation): string | null {
  const { rType, rExtern, rSymndx } = entry;
  if (relocationTypeName(rType) === null) return 'is an unknown type';
  if (rType === R.abs) return null;
  if (rExtern && LOCAL_ONLY.has(rType)) return 'must be local';
  const role = symndxRole(entry);
  if (role === 'external' && rSymndx >= (file.externals?.count ?? 0)) {
    return `names external symbol ${rSymndx}, which is not there`;
  }
  if (role === 'section' && sectionNumberName(rSymndx) === null) {
    return `names section number ${rSymndx}, which has no meaning`;
  }
  if (role === 'lituse-subtype' && subtypeName(entry) === null) {
    return `has subtype ${rSymndx}, which has no meaning`;
  }
  if (rType === R.immed && subtypeName(entry) === null) {
    return `has subtype ${entry.rSize}, which has no meaning`;
  }
  if (LITA_ONLY.has(rType) && rSymndx !== R_SN_LITA) return 'must be relative to .lita';
  const isTlsSection = rSymndx === R_SN_TLSDATA || rSymndx === R_SN_TLSBSS;
  if (TLS_HALVES.has(rType) && !rExtern && !isTlsSection) {
    return 'must be relative to .tlsdata or .tlsbss';
  }
  return entry.rReserved === 0 ? null : 'has reserved bits that are not zero';
}
