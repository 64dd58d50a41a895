/** Starts tasks from the start page: load an object on kernels, explain a log. */
import { emptyBtf } from '#analysis/workbench/examples.ts';
import { isBpf } from '#model/object-model.ts';
import { showView } from '#store/address/navigation.ts';
import { openFile, openFiles } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import { openSample } from '#store/session/samples.ts';
import { activeFileNow, announce, type FileId, fileNow, modelOf } from '#store/session/session.ts';

/** Opens an object and kernels in any order, and shows whether the programs load. */
export async function showWhetherItLoads(files: readonly File[]): Promise<void> {
  const ids = await openFiles(files, { activate: false });
  const object = ids.find((id) => {
    const model = modelOf(fileNow(id));
    return model !== null && isBpf(model);
  });
  if (object === undefined) announce('None of these files is a BPF object');
  else showOf(object, 'load');
}

/** Opens an example object and kernel, and shows whether the programs load. */
export async function showLoadExample(): Promise<void> {
  await openSample('kernel.btf', { activate: false });
  if (!(await openSample('exec_trace.bpf.o'))) return;
  const object = activeFileNow();
  if (object !== null) showOf(object.id, 'load');
}

/** Opens an empty file and shows its log view, where a log can be pasted without an object. */
export async function explainLog(): Promise<void> {
  const file = new File([emptyBtf('little').slice()], 'log without its object');
  const id = await openFile(file, { remember: false, isSilent: true });
  showOf(id, 'log');
  announce('Paste the log');
}

function showOf(id: FileId, view: 'load' | 'log'): void {
  activate(id);
  showView(view);
}
