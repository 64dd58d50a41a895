/** The ways into the workbench for the parts of the page that are there at once: it is fetched when it is entered. */
import type { ActivateOption } from './files.ts';
import type { FileId } from './session.ts';

/** Goes to the workbench; as `openWorkbench`. */
export async function enterWorkbench(): Promise<void> {
  const { openWorkbench } = await import('./edit-workbench.ts');
  await openWorkbench();
}

/** The workbench of a link's key; as `openDeclarationsKey`. */
export async function enterByKey(key: string, options: ActivateOption): Promise<FileId> {
  const { openDeclarationsKey } = await import('./edit-workbench.ts');
  return await openDeclarationsKey(key, options);
}
