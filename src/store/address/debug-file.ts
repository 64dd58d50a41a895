/** The debug file of a stripped file: its types are shown on the stripped file. */
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { clientOf, lookAtFindings } from '#store/session/files.ts';
import { announce, baseChoice, type FileId, fileNow, patchFile } from '#store/session/session.ts';

/** Reads file `id` with the DWARF of `debugFile`. Resolves to why it does not fit; null if it does. */
export async function takeDebugFile(id: FileId, debugFile: File): Promise<Issue | null> {
  const { name } = debugFile;
  const outcome = await clientOf(id)?.call('setDebugFile', { name, file: debugFile });
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
  announce(`${drawnName(file.name)} is shown with the types of ${drawnName(name)}`);
  await lookAtFindings(id);
  return null;
}
