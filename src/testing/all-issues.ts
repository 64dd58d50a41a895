/** Opens a file and collects all its issues, including those of lint. */
import { lintModel } from '#analysis/lint/lint.ts';
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
  const findings = await lintModel(opened.model, opened.source);
  return { opened, issues: [...opened.model.issues, ...findings] };
}
