/** Files with types of another file, on which these are shown: debug, supplementary and split files. */
import type { Issue } from '#bytes/issue.ts';
import { counted, drawnName } from '#bytes/text.ts';
import { clientOf, lookAtFindings } from '#store/session/files.ts';
import { announce, baseChoice, type FileId, fileNow, patchFile } from '#store/session/session.ts';

/** Reads file `id` with the DWARF of `files`. Resolves to why they do not fit; null if one does. */
export async function takeDebugFiles(id: FileId, files: readonly File[]): Promise<Issue | null> {
  const named = files.map((file) => ({ name: file.name, file }));
  const outcome = await clientOf(id)?.call('setDebugFile', { files: named });
  const file = fileNow(id);
  if (outcome === undefined || file?.status.step !== 'ready') return null;
  if (!outcome.ok) return outcome.issue;
  if (outcome.value.kind === 'refused') return outcome.value.issue;
  const { model } = outcome.value;
  patchFile(id, {
    status: { step: 'ready', model },
    base: { ...baseChoice(file), reading: baseChoice(file).reading + 1 },
    findings: null,
  });
  const [first] = files;
  const name = files.length === 1 ? drawnName(first?.name ?? '') : counted(files.length, 'file');
  announce(`${drawnName(file.name)} is shown with the types of ${name}`);
  await lookAtFindings(id);
  return null;
}
