/** How many issues of which severity a file has: those of reading it and those of the closer look. */
import type { Issue, Severity } from '#bytes/issue.ts';

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

export type IssueCounts = Readonly<Record<Severity, number>>;

/** Counts by severity; `findings` null = the closer look is not done. */
export function issueCounts(
  issues: readonly Issue[],
  findings: readonly Issue[] | null,
): IssueCounts {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of issues) counts[severity]++;
  for (const { severity } of findings ?? []) counts[severity]++;
  return counts;
}

/** Errors and warnings: the number on the tab. Notes ask for nothing. */
export function seriousCount(issues: readonly Issue[], findings: readonly Issue[] | null): number {
  const { error, warning } = issueCounts(issues, findings);
  return error + warning;
}
