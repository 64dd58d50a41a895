/** Sorts and counts the issues of a file. */
import { listed } from '#analysis/lint/issue-list.ts';
import type { Issue, Severity } from '#bytes/issue.ts';
import type { Selection } from '#model/selection.ts';

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

/** Returns the number of errors and warnings. Notes are not counted, since they need no action. */
export function seriousCount(issues: readonly Issue[], findings: readonly Issue[] | null): number {
  const { error, warning } = issueCounts(issues, findings);
  return error + warning;
}
