/**
 * Entries of eCOFF files that parse but make no sense: those that have lost their
 * partners, and those that break what the document demands of their fields.
 */

import type { Issue } from '#bytes/issue.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { groupIssues } from './groups.ts';
import { restrictionIssues } from './restrictions.ts';
import { tableFacts } from './table-facts.ts';

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
