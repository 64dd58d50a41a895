/** Joins and sorts the issues of a file. The page counts them before the lint is loaded. */
import type { Issue, Severity } from '#bytes/issue.ts';
import { ORIGIN_CODES } from './origin-codes.ts';

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Joins the issues of reading a file with the findings of the lint, sorted by severity and then by
 * offset. Issues without a place come first. Leaves out the notes about encoder and readers of a
 * kernel's BTF, which are no issues.
 */
export function allIssues(issues: readonly Issue[], findings: readonly Issue[] | null): Issue[] {
  return [...issues, ...listed(findings)].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      (a.span?.start ?? -1) - (b.span?.start ?? -1),
  );
}

/** Returns the findings without the notes about encoder and readers. */
export function listed(findings: readonly Issue[] | null): readonly Issue[] {
  return (findings ?? []).filter(({ code }) => !ORIGIN_CODES.includes(code));
}
