/** All issues and findings of a file. */
import { lintModel } from '#analysis/lint/lint.ts';
import type { Issue } from '#bytes/issue.ts';
import { type Ingested, ingestBytes } from '#ingest/ingest.ts';

/** What the file was opened as, with its issues and findings. Throws `Malformed` where it is refused. */
export async function openWithFindings(
  name: string,
  bytes: Uint8Array,
): Promise<{ readonly opened: Ingested; readonly issues: readonly Issue[] }> {
  const opened = await ingestBytes(name, bytes);
  if (opened.kind === 'atlas') return { opened, issues: [] };
  if (opened.kind === 'archive') return { opened, issues: opened.issues };
  const findings = await lintModel(opened.model, opened.source);
  return { opened, issues: [...opened.model.issues, ...findings] };
}
