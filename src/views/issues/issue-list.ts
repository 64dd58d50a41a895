/** The issues of a file in one list, the worst first. */
import type { Issue, Severity } from '#bytes/issue.ts';
import type { Selection } from '#model/selection.ts';

/** `all`, or one severity. */
export type IssueFilter = 'all' | Severity;

/** Both lists as one: errors, warnings, notes; each in the order of the file, those of the whole file first. */
export function allIssues(issues: readonly Issue[], findings: readonly Issue[] | null): Issue[] {
  return [...issues, ...(findings ?? [])].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      (a.span?.start ?? -1) - (b.span?.start ?? -1),
  );
}

/** The issue that the selected bytes are those of, or null. */
export function issueOfSelection(issues: readonly Issue[], selection: Selection): Issue | null {
  if (selection.kind !== 'bytes') return null;
  const { start, end } = selection;
  return issues.find(({ span }) => span?.start === start && span.end === end) ?? null;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

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
