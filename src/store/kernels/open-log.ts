/** Opens a pasted text as a log. */
import { isBpf } from '#model/object-model.ts';
import { type BackgroundOptions, openFile } from '#store/session/files.ts';
import { type FileId, fileNow, logOf, modelOf, session } from '#store/session/session.ts';
import { setCoreTarget } from './core-view.ts';
import { bindPart } from './log-binding.ts';

/** Opens a log, bound to the object or kernel `of` if its lines agree with no other. */
export async function openLog(
  text: string,
  of: FileId | null = null,
  options: BackgroundOptions = {},
): Promise<FileId> {
  const id = await openFile(new File([text], freeName()), options);
  const log = logOf(fileNow(id));
  const model = modelOf(fileNow(of));
  if (log === null || of === null || model === null) return id;
  if (isBpf(model)) for (const part of log.parts.keys()) bindPart(id, part, { file: of });
  else setCoreTarget(id, of);
  return id;
}

/** Returns `pasted log`, or `pasted log 2` if that is open. */
function freeName(): string {
  const names = new Set(session.getState().files.map(({ name }) => name));
  for (let i = 1; ; i++) {
    const name = i === 1 ? 'pasted log' : `pasted log ${i}`;
    if (!names.has(name)) return name;
  }
}
