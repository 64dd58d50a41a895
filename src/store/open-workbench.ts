/** Ways into the workbench: by a button, by a link, by an example. */
import { type Declarations, declarationsOfKey } from '#analysis/workbench/declarations-key.ts';
import { EXAMPLES, emptyBtf } from '#analysis/workbench/examples.ts';
import { compileWorkbench, lookAgain, nameByText, workbenchByKey } from './edit-workbench.ts';
import { type OpenOptions, openedSentence, openFile } from './files.ts';
import { announce, type FileId, fileById, patchFile, session } from './session.ts';
import { beginWorkbench, keptDeclarations } from './workbench-state.ts';

const NAME = 'workbench.btf';

/** Goes to the workbench: the one that is open, else with what was typed last, else with the first example. */
export async function openWorkbench(): Promise<void> {
  const open = session.getState().files.findLast((file) => file.declarationsKey !== undefined);
  if (open !== undefined) {
    session.setState({ activeId: open.id, wanted: null });
    patchFile(open.id, { view: 'workbench' });
    return;
  }
  await openDeclarations(keptDeclarations() ?? { text: EXAMPLES[0].text, endian: 'little' }, {});
}

/**
 * The workbench of a link's key, opened where it is not yet. One that was typed on since
 * keeps its text: going back in the history must not take away what somebody wrote.
 * Throws `Malformed` where the key cannot be read.
 */
export async function openDeclarationsKey(
  key: string,
  options: Pick<OpenOptions, 'activate'>,
): Promise<FileId> {
  return workbenchByKey(key) ?? (await openDeclarations(await declarationsOfKey(key), options));
}

async function openDeclarations(
  declarations: Declarations,
  options: Pick<OpenOptions, 'activate'>,
): Promise<FileId> {
  // Nothing at first: what is typed is compiled in the worker, which the page outlives whatever it is.
  const file = new File([new Uint8Array(emptyBtf(declarations.endian))], NAME);
  const id = await openFile(file, { ...options, remember: false, declarationsKey: null });
  beginWorkbench(id, declarations);
  await compileWorkbench(id);
  await nameByText(id);
  const opened = fileById(session.getState(), id);
  if (opened?.status.step === 'ready') announce(openedSentence(NAME, opened.status.model));
  void lookAgain(id);
  return id;
}
