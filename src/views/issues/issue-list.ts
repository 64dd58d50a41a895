/** Sorts and counts the issues of a file. */
import { listed } from '#analysis/lint/issue-list.ts';
import type { Issue, Severity } from '#bytes/issue.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCutShort, sectionCount, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';

/** Shown issues: `all`, or those of one severity. */
export type IssueFilter = 'all' | Severity;

/** Returns the issue whose bytes are selected; null if no issue has these bytes. */
export function issueOfSelection(issues: readonly Issue[], selection: Selection): Issue | null {
  if (selection.kind !== 'bytes') return null;
  const { start, end } = selection;
  return issues.find(({ span }) => span?.start === start && span.end === end) ?? null;
}

export type IssueCounts = Readonly<Record<Severity, number>>;

/** Counts issues by severity. `findings` is null while records are being checked. */
export function issueCounts(
  issues: readonly Issue[],
  findings: readonly Issue[] | null,
): IssueCounts {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of issues) counts[severity]++;
  for (const { severity } of listed(findings)) counts[severity]++;
  return counts;
}

/** Returns `2 damaged sections`, or the number of errors if no section is damaged; no full stop. */
export function damageText({ issues, sections }: ObjectModel): string | null {
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return null;
  const regions = new Set(errors.map(({ region }) => region));
  let damaged = 0;
  for (let i = 1; i < sections.count; i++) {
    const index = sectionIndex(i);
    const label = sectionName(sections, index) || `section ${i}`;
    // One issue reports all sections that end after the file, but names only the first.
    if (regions.has(label) || isCutShort(sections, index)) damaged++;
  }
  const count = sectionCount(sections);
  return damaged === 0
    ? `${countOf(errors.length, 'error')}: parts of this file cannot be read`
    : `${grouped(damaged)} of ${countOf(count, 'section')} ${damaged === 1 ? 'is' : 'are'} damaged`;
}

/** Returns the number of errors and warnings. Notes are not counted, since they need no action. */
export function seriousCount(issues: readonly Issue[], findings: readonly Issue[] | null): number {
  const { error, warning } = issueCounts(issues, findings);
  return error + warning;
}
