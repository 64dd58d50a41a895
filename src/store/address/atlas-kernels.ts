import type { NameInAtlas } from '#analysis/atlas/atlas-names.ts';
import { encodeKey } from '#store/page/percent.ts';
import { openKernelOf } from '#store/session/files.ts';
import { activate } from '#store/session/panes.ts';
import {
  announce,
  atlasPlace,
  type FileId,
  fileNow,
  modelOf,
  type OpenFile,
  session,
} from '#store/session/session.ts';
import { applyViewState } from '#store/session/view-state.ts';
import { chooseOther } from './compare.ts';
import { select } from './navigation.ts';
import { resolveSelection } from './selection-keys.ts';

/** Ids of the open files that were made from a kernel, by atlas and kernel number. */
const opened = new Map<string, FileId>();

/** Returns the file of an atlas's kernel, opened in the background if needed; null on failure. */
async function kernelFile(atlas: FileId, kernel: number): Promise<OpenFile | null> {
  const key = `${atlas}:${kernel}`;
  const known = fileNow(opened.get(key) ?? null);
  if (known !== null) return known;
  announce('Making the BTF of the kernel');
  const id = await openKernelOf(atlas, kernel, { activate: false });
  if (id === null) return null;
  opened.set(key, id);
  return fileNow(id);
}

/** Opens a kernel of an atlas and selects the type with the given name. */
export async function showInKernel(
  atlas: FileId,
  kernel: number,
  name: NameInAtlas | null,
): Promise<void> {
  const file = await kernelFile(atlas, kernel);
  if (file === null) return;
  activate(file.id);
  if (name !== null) selectName(file, name, 'types');
}

/** Opens two kernels of an atlas and compares their types with the given name. */
export async function compareKernels(
  atlas: FileId,
  [before, after]: readonly [before: number, after: number],
  name: NameInAtlas,
): Promise<void> {
  const first = await kernelFile(atlas, before);
  const second = await kernelFile(atlas, after);
  if (first === null || second === null) return;
  activate(first.id);
  applyViewState(first.id, 'compare', new Map([['show', 'types']]));
  chooseOther(second);
  selectName(first, name, 'compare');
}

function selectName(file: OpenFile, { kind, name }: NameInAtlas, view: 'types' | 'compare'): void {
  const model = modelOf(file);
  if (model === null) return;
  const key = encodeKey(`${kind}:${name}`);
  select(resolveSelection(model, new Map([['type', key]])).selection, view);
}

/** Returns the file of a CO-RE target; opens it if it is a kernel of an atlas. Null on failure. */
export async function targetFile(id: FileId): Promise<FileId | null> {
  const place = atlasPlace(session.getState(), id);
  if (place === null) return id;
  return (await kernelFile(place.atlas.id, place.kernel))?.id ?? null;
}
