/** Comparisons of open files: which file is the other side, and what the worker finds. */
import type { TypeState, WholeComparison } from '#analysis/compare/compare-tables.ts';
import type { DuplicateGroup } from '#analysis/compare/duplicates.ts';
import type { Facet } from '#analysis/compare/facets.ts';
import { keptIn } from '#bytes/keep.ts';
import { isBpf } from '#model/object-model.ts';
import { NOTHING, type Selection } from '#model/selection.ts';
import { clientOf, onClosed, openFile } from '#store/session/files.ts';
import {
  activeFile,
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from '#store/session/tasks.ts';
import { setViewParam, useViewParam, ViewState, viewParam } from '#store/session/view-state.ts';
import { keyOf, openByKey } from './file-keys.ts';
import { activate, showView } from './navigation.ts';

/** Until the other file has a key, only the session names it. */
const otherState = new ViewState('compare-other', { other: null as FileId | null });

/** The open file that `id` is compared with: the one chosen, else the last other one of its sort with types, else the last other one with types; null where there is none. */
export function useOtherFile(id: FileId): OpenFile | null {
  const wanted = useViewParam(id, 'compare', 'with');
  const { other: chosen } = otherState.useOf(id);
  const files = useSession((state) => state.files);
  return otherFile(files, id, chosen, wanted);
}

/** As `useOtherFile`. What the address names and is not open is not stood in for. */
export function otherFile(
  files: readonly OpenFile[],
  id: FileId,
  chosen: FileId | null,
  wanted: string | null,
): OpenFile | null {
  const withTypes = files.filter((file) => typesOf(file) !== null);
  if (wanted !== null) return withTypes.find((file) => keyOf(file) === wanted) ?? null;
  const others = withTypes.filter((file) => file.id !== id);
  const isProgram = isProgramFile(files.find((file) => file.id === id));
  return (
    withTypes.find((file) => file.id === chosen) ??
    others.findLast((file) => isProgramFile(file) === isProgram) ??
    others.at(-1) ??
    null
  );
}

/** Is it a BPF object? Kernels and modules are compared with each other, and so are objects. */
function isProgramFile(file: OpenFile | undefined): boolean {
  const model = modelOf(file ?? null);
  return model !== null && isBpf(model);
}

/** Compares the file that is looked at with another. */
export function chooseOther(other: OpenFile): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  otherState.set({ other: other.id });
  setViewParam('compare', 'with', keyOf(other));
}

/** Opens a file behind the one that is looked at, and compares with it. Gives why that cannot be, or null. */
export async function openOther(file: File): Promise<string | null> {
  const id = await openFile(file, { activate: false });
  const opened = fileById(session.getState(), id);
  if (opened === null) return null;
  if (typesOf(opened) === null) {
    return opened.status.step === 'failed' ? 'it could not be opened' : 'it has no types';
  }
  chooseOther(opened);
  return null;
}

const opening = new Map<string, Promise<boolean>>();

/** Opens what the address names as the other side; false where it cannot be had, or has no types. */
export function openWantedOther(key: string): Promise<boolean> {
  // Whoever asks twice gets one file.
  return keptIn(opening, key, () => openWithTypes(key).finally(() => opening.delete(key)));
}

async function openWithTypes(key: string): Promise<boolean> {
  const { file } = await openByKey(key, '', { activate: false });
  return typesOf(file) !== null;
}

/** Looks at `file` and compares it with `after`; where that is the same, with the file that was looked at: both change places. */
export function chooseBefore(file: OpenFile, after: OpenFile | null): void {
  const was = activeFile(session.getState());
  if (was === null || was.id === file.id) return;
  activate(file.id);
  showView('compare');
  chooseOther(after === null || after.id === file.id ? was : after);
}

onClosed((id) => {
  // A file that was closed is not asked for again.
  const { files } = session.getState();
  const closed = fileById(session.getState(), id);
  const key = closed === null ? null : keyOf(closed);
  for (const file of files) {
    const wanted = viewParam(file, 'compare', 'with');
    if (wanted !== null && wanted === key) setViewParam('compare', 'with', null, file.id);
  }
});

const wholes = new Tasks<TaskKey, WholeComparison>();
const duplicates = new Tasks<TaskKey, readonly DuplicateGroup[]>();

/** The comparison of two files as far as it is known; null before it is asked for. */
export function useWholeComparison(a: FileId, b: FileId | null): TaskState<WholeComparison> | null {
  return wholes.useTask(() => taskKey(a, b));
}

/** The types of a file that share a name, as far as they are known; null before they are asked for. */
export function useDuplicates(id: FileId): TaskState<readonly DuplicateGroup[]> | null {
  return duplicates.useTask(() => taskKey(id));
}

/** Compares all types of two files, unless that is done or going on. */
export async function compareWhole(a: FileId, b: FileId): Promise<void> {
  const other = typesOf(fileById(session.getState(), b));
  const client = clientOf(a);
  if (other === null || client === null) return;
  await wholes.run(taskKey(a, b), (options) => client.call('compare', { other }, options));
}

/** Finds the types of a file that share a name, unless that is done or going on. */
export async function findDuplicates(id: FileId): Promise<void> {
  await duplicates.run(taskKey(id), async (options) =>
    clientOf(id)?.call('duplicates', null, options),
  );
}

/** Stops the comparison of two files; it can be asked for again. */
export function stopComparing(a: FileId, b: FileId): void {
  wholes.stop(taskKey(a, b));
}

/** Stops the search for types that share a name; it can be asked for again. */
export function stopDuplicates(id: FileId): void {
  duplicates.stop(taskKey(id));
}

function taskKey(...ids: readonly (FileId | null)[]): TaskKey {
  return { files: ids.filter((id) => id !== null).map(revisionOf) };
}

export const COMPARE_ORDERS = ['name', 'kind', 'state', 'weight', 'size'] as const;
export type CompareOrder = (typeof COMPARE_ORDERS)[number];

export type CompareSettings = {
  /** Only these; all while it is empty. */
  readonly states: ReadonlySet<TypeState>;
  /** Only types in which one of these is changed; all while it is empty. */
  readonly facets: ReadonlySet<Facet>;
  /** Only this BTF kind; null = all. */
  readonly kind: number | null;
  readonly order: CompareOrder;
  readonly descending: boolean;
  /** In lock-step: only lines that differ. */
  readonly onlyChanged: boolean;
  /** What was selected when a list was last chosen: another selection is a type to compare. */
  readonly listedAt: Selection;
};

export const compareState = new ViewState<CompareSettings>('compare-settings', {
  states: new Set(),
  facets: new Set(),
  kind: null,
  order: 'weight',
  descending: true,
  onlyChanged: false,
  listedAt: NOTHING,
});
