/** The ways into the workbench for the parts of the page that are there at once: it is fetched when it is entered. */
import type { OpenOptions } from './files.ts';
import type { FileId } from './session.ts';

/** Goes to the workbench; as `openWorkbench`. */
export async function enterWorkbench(): Promise<void> {
  const { openWorkbench } = await import('./open-workbench.ts');
  await openWorkbench();
}

/** The workbench of a link's key; as `openDeclarationsKey`. */
export async function enterByKey(
  key: string,
  options: Pick<OpenOptions, 'activate'>,
): Promise<FileId> {
  const { openDeclarationsKey } = await import('./open-workbench.ts');
  return await openDeclarationsKey(key, options);
}
