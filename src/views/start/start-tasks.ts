/** Starts tasks from the start page: load an object on kernels. */
import { isBpf } from '#model/object-model.ts';
import { showView } from '#store/address/navigation.ts';
import { setFacts } from '#store/kernels/kernel-facts.ts';
import { openFiles } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import { loadSamples, openSample, type Sample } from '#store/session/samples.ts';
import { announce, type FileId, fileNow, modelOf } from '#store/session/session.ts';

/** Opens an object and kernels in any order, and shows whether the programs load; else the first. */
export async function showWhetherItLoads(files: readonly File[]): Promise<void> {
  const ids = await openFiles(files, { activate: false });
  const object = ids.find((id) => {
    const model = modelOf(fileNow(id));
    return model !== null && isBpf(model);
  });
  if (object !== undefined) {
    showLoad(object);
    return;
  }
  announce('None of these files is a BPF object');
  const [first] = ids;
  if (first !== undefined) activate(first);
}

/** Opens the example with kernels, and shows whether its programs load. */
export async function showLoadExample(): Promise<void> {
  const example = (await loadSamples()).find(({ kernels }) => kernels.length > 0);
  if (example !== undefined) await openWithKernels(example);
}

/** Opens an example with the kernels that it has, which load no modules, and shows Load. */
export async function openWithKernels({ file, kernels }: Sample): Promise<void> {
  for (const kernel of kernels) {
    const id = await openSample(kernel, { activate: false });
    if (id !== null) setFacts(id, { isComplete: true });
  }
  const object = await openSample(file);
  if (object !== null) showLoad(object);
}

function showLoad(id: FileId): void {
  activate(id);
  showView('load');
}
