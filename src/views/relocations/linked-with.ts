/** The linked file beside an object: chosen by the user, or named by the address. */
import type { ObjectModel } from '#model/object-model.ts';
import { fileOfKey, keyOf } from '#store/address/file-keys.ts';
import { openFile } from '#store/session/files.ts';
import {
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  session,
  useSession,
} from '#store/session/session.ts';
import { ViewState } from '#store/session/view-state.ts';
import { layoutState } from '#views/parts/layout-state.ts';

/** Id of the linked file, until its key is known. */
const chosenState = new ViewState('linked-file', { chosen: null as FileId | null });

/** Returns the linked file beside object `id`; null if there is none or it is not open. */
export function useLinkedFile(id: FileId): OpenFile | null {
  const { chosen } = chosenState.useOf(id);
  const { linked: key } = layoutState.useOf(id);
  return useSession((state) => {
    const file = fileById(state, chosen);
    return file ?? (key === null ? null : fileOfKey(key, state));
  });
}

/** Sets the linked file beside object `id`, or none for null. */
export function setLinkedFile(id: FileId, file: OpenFile | null): void {
  chosenState.set({ chosen: file?.id ?? null }, id);
  layoutState.set({ linked: file === null ? null : keyOf(file) }, id);
}

/** Returns true if the linker may have made `file` of the object: same machine, not relocatable. */
export function isLinkedFile(file: OpenFile, { machine }: ObjectModel): boolean {
  const model = modelOf(file);
  if (model === null || model.format !== 'elf' || model.fileType === 'relocatable') return false;
  return machine !== null && model.machine?.number === machine.number;
}

/** Opens a file and shows it beside object `id`. Returns why it cannot be, or null. */
export async function openLinkedFile(
  id: FileId,
  model: ObjectModel,
  file: File,
): Promise<string | null> {
  const chosen = await openFile(file, { activate: false });
  const opened = fileById(session.getState(), chosen);
  if (opened === null) return null;
  if (!isLinkedFile(opened, model)) {
    return opened.status.step === 'failed'
      ? 'it could not be opened'
      : 'it is not a linked file for the machine of the object';
  }
  setLinkedFile(id, opened);
  return null;
}
