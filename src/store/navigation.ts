/** Going places: which file, which view, what is selected. The address and the history follow. */
import { NOTHING, type Selection, sameSelection } from '#model/selection.ts';
import { openFile } from './files.ts';
import { type Address, formatAddress, parseAddress } from './location.ts';
import { recall } from './remembered.ts';
import { openSample } from './samples.ts';
import { resolveSelection } from './selection-keys.ts';
import {
  activeFile,
  announce,
  type FileId,
  type OpenFile,
  patchFile,
  type Session,
  session,
  type ViewName,
} from './session.ts';

/** Looks at another open file, as it was left. */
export function activate(id: FileId): void {
  session.setState({ activeId: id });
}

/** Shows another view of the file that is looked at; the selection stays. */
export function showView(view: ViewName): void {
  const file = activeFile(session.getState());
  if (file !== null && file.view !== view) patchFile(file.id, { view });
}

/** Selects, and with `view` goes there. */
export function select(selection: Selection, view?: ViewName): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  const goes = view ?? file.view;
  if (goes === file.view && sameSelection(selection, file.selection)) return;
  patchFile(file.id, { selection, view: goes });
}

/** The address of what is shown now. */
export function currentAddress(state: Session): string {
  const file = activeFile(state);
  if (file === null) return '#/';
  const id = file.sample === null ? file.sha256 : `sample:${file.sample}`;
  return formatAddress(
    file.view,
    id === null ? null : { id, name: file.name },
    file.status.step === 'ready' ? file.status.model : null,
    file.selection,
  );
}

/** Goes to an address: opens its file where it can, then its view and selection. */
export async function followAddress(hash: string): Promise<void> {
  const address = parseAddress(hash);
  const file = findOpen(address) ?? (await openWanted(address));
  if (file !== null) arrive(file, address);
}

function findOpen(address: Address): OpenFile | null {
  const state = session.getState();
  if (address.file === '') return address.params.size > 0 ? activeFile(state) : null;
  return (
    state.files.find(
      (file) => `sample:${file.sample}` === address.file || file.sha256 === address.file,
    ) ?? null
  );
}

async function openWanted(address: Address): Promise<OpenFile | null> {
  if (address.file === '') return null;
  const problem = await openByKey(address);
  if (problem === null) return activeFile(session.getState());
  session.setState({
    wanted: { file: address.file, name: address.name, problem },
    activeId: null,
  });
  announce(problem);
  return null;
}

/** Opens what the address names; null when that went well, else why not. */
async function openByKey(address: Address): Promise<string | null> {
  if (address.file.startsWith('sample:')) {
    const path = address.file.slice('sample:'.length);
    return (await openSample(path)) ? null : `There is no example called ${path}`;
  }
  if (!/^[0-9a-f]{64}$/.test(address.file)) {
    return 'The link names no file that this page can find';
  }
  const kept = await recall(address.file);
  if (kept !== null) {
    await openFile(kept, { sha256: address.file });
    return null;
  }
  return `This link is about ${address.name || 'a file'} with SHA-256 ${address.file}. Open that file to see it`;
}

function arrive(file: OpenFile, address: Address): void {
  session.setState({ activeId: file.id, wanted: null });
  const fresh = activeFile(session.getState());
  if (fresh?.status.step !== 'ready') {
    patchFile(file.id, { view: address.view });
    return;
  }
  const { selection, problem } =
    address.params.size === 0
      ? { selection: NOTHING, problem: null }
      : resolveSelection(fresh.status.model, address.params);
  patchFile(file.id, { view: address.view, selection });
  if (problem !== null) announce(problem);
}
