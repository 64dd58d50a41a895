/** The list of issues of a file: one for the page, the command and the library. */
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { allIssues } from './issue-list.ts';
import { lintModel } from './lint.ts';
import { ORIGIN_CODES } from './origin-codes.ts';

/** Returns all issues of a file: those of reading it, then those of the lint, sorted. */
export async function issuesOf(
  model: ObjectModel,
  source: ByteSource,
): Promise<{ readonly issues: readonly Issue[]; readonly origin: readonly Issue[] }> {
  const findings = await lintModel(model, source);
  const origin = findings.filter(({ code }) => ORIGIN_CODES.includes(code));
  return { issues: allIssues(model.issues, findings), origin };
}
