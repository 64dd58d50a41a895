/** What keeps the rest of a file from being read: told once, and kept beside the file. */
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { CANCELLED } from '#worker/protocol.ts';
import { announce, type FileId, fileById, patchFile, session } from './session.ts';

/** Tells of a read that failed; nothing of one that nobody wants any more. */
export function tellOfFault(id: FileId, issue: Issue): void {
  const file = fileById(session.getState(), id);
  if (file === null || file.fault !== undefined || issue.code === CANCELLED.code) return;
  patchFile(id, { fault: issue });
  announce(`${drawnName(issue.message)}. What is shown of it stays`);
}
