/** The files of a lesson, opened and read to their end: they may still be on their way from an earlier step. */
import { type FoundFile, openByKey } from '#store/file-keys.ts';
import { type FileId, fileById, type OpenFile, session } from '#store/session.ts';

/** As `openByKey`, and waits for a file that is open but not read yet. */
export async function openRead(
  key: string,
  options: { readonly activate?: boolean } = {},
): Promise<FoundFile> {
  const found = await openOnce(key, options);
  if (found.file === null) return found;
  const file = await onceRead(found.file.id);
  return file === null
    ? { file, problem: 'The file was closed before it was open' }
    : { file, problem: null };
}

/** Files that are being fetched: two questions at a time must not open one twice. */
const fetching = new Map<string, Promise<FoundFile>>();

function openOnce(key: string, options: { readonly activate?: boolean }): Promise<FoundFile> {
  const known = fetching.get(key);
  if (known !== undefined) return known;
  const found = openByKey(key, '', options).finally(() => fetching.delete(key));
  fetching.set(key, found);
  return found;
}

/** The file once it is no longer opening; null where it is closed before. */
function onceRead(id: FileId): Promise<OpenFile | null> {
  return new Promise((resolve) => {
    const look = () => {
      const file = fileById(session.getState(), id);
      if (file?.status.step === 'opening') return;
      stop();
      resolve(file);
    };
    const stop = session.subscribe(look);
    look();
  });
}
