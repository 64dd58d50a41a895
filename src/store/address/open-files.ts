/** Reopens files: all that were open before a reload, or the one that was closed most recently. */
import { create } from 'zustand';
import { visible } from '#bytes/text.ts';
import { fieldsOf, itemsOf, kept } from '#store/kept/local-storage.ts';
import { idle } from '#store/page/when-idle.ts';
import { onClosed, openFile } from '#store/session/files.ts';
import { setView } from '#store/session/panes.ts';
import { announce, fileNow, hasViews, type OpenFile, session } from '#store/session/session.ts';
import { parseAddress } from './address.ts';
import { fileOfKey, keyOf, MAX_FILES, openByKey } from './file-keys.ts';

type NamedFile = { readonly key: string; readonly name: string };

/** Files open in this browser tab. A reload keeps the list; closing the tab deletes it. */
const keptOpen = kept<readonly NamedFile[]>(
  'btfscope-open-files',
  { parse: (json) => itemsOf(json).filter(isNamedFile).slice(0, MAX_FILES) },
  () => sessionStorage,
);

function isNamedFile(json: unknown): json is NamedFile {
  const { key, name } = fieldsOf(json);
  return typeof key === 'string' && typeof name === 'string';
}

function keep(files: readonly OpenFile[]): void {
  keptOpen.write(
    files.flatMap((file) => {
      const key = keyOf(file);
      return key === null ? [] : [{ key, name: file.name }];
    }),
  );
}

/** Returns true after a reload, Back or Forward; false if the address was typed. */
function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  if (navigation === undefined || !('type' in navigation)) return false;
  return navigation.type === 'reload' || navigation.type === 'back_forward';
}

/** Opens the files from before the reload in the background, then keeps the list up to date. */
export async function restoreFiles(hash: string): Promise<void> {
  const before = isReturn() ? keptOpen.read() : [];
  const { beside, ...first } = parseAddress(hash);
  // Files that the link names are opened by the code that follows the link.
  const places = [first, ...(beside === null ? [] : [beside])];
  const linked = new Set(
    places.flatMap(({ file, base, target, kernels, viewParams }) => [
      ...[file, base, target, viewParams.get('with') ?? ''],
      ...kernels.map(({ key }) => key),
    ]),
  );
  await idle();
  let missing = 0;
  for (const { key, name } of before) {
    if (linked.has(key) || fileOfKey(key) !== null) continue;
    const found = await openByKey(key, name, { activate: false, isSilent: true });
    if (found.file === null) missing++;
  }
  if (missing > 0) {
    announce(
      `${missing === 1 ? '1 file is' : `${missing} files are`} no longer kept: not reopened`,
    );
  }
  let last = session.getState().files;
  keep(last);
  session.subscribe(({ files }) => {
    if (files === last) return;
    last = files;
    keep(files);
  });
}

type Closed = Pick<OpenFile, 'name' | 'sample' | 'view' | 'selection'> & { readonly file: File };

/** Closed files, with the most recently closed one at the end. */
const useClosed = create<{ readonly closed: readonly Closed[] }>(() => ({ closed: [] }));

onClosed((id, file) => {
  const entry = fileNow(id);
  // Declarations are not listed: the workbench stores its own text.
  if (entry === null || file === null || entry.declarationsKey !== undefined) return;
  const { name, sample, view, selection } = entry;
  useClosed.setState(({ closed }) => ({
    closed: [...closed, { name, sample, view, selection, file }].slice(-MAX_FILES),
  }));
});

/** Returns the displayed name of the most recently closed file; null if no file was closed. */
export function useLastClosed(): string | null {
  const name = useClosed(({ closed }) => closed.at(-1)?.name ?? null);
  return name === null ? null : visible(name);
}

/** Opens the most recently closed file with the view and selection that it had. */
export async function reopenClosed(): Promise<void> {
  const last = useClosed.getState().closed.at(-1);
  if (last === undefined) return;
  useClosed.setState(({ closed }) => ({ closed: closed.slice(0, -1) }));
  const { file, sample, view, selection } = last;
  const id = await openFile(file, sample === null ? {} : { sample });
  const opened = fileNow(id);
  if (opened !== null && hasViews(opened)) setView(id, view, { selection });
}
