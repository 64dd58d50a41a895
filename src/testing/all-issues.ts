/** Opens a file and collects all its issues, including those of lint. */
import { issuesOf } from '#analysis/lint/all-issues.ts';
import type { Issue } from '#bytes/issue.ts';
import { type Ingested, ingestBytes } from '#ingest/ingest.ts';

/**
 * Returns an opened file with its issues and those of lint. Throws `Malformed` if the file is
 * rejected.
 */
export async function openWithFindings(
  name: string,
  bytes: Uint8Array,
): Promise<{ readonly opened: Ingested; readonly issues: readonly Issue[] }> {
  const opened = await ingestBytes(name, bytes);
  if (opened.kind === 'atlas') return { opened, issues: [] };
  if (opened.kind !== 'object') return { opened, issues: opened.issues };
  const { issues, origin } = await issuesOf(opened.model, opened.source);
  return { opened, issues: [...issues, ...origin] };
}
