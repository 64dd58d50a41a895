/** Navigation: views, tabs and selections, the address of the current place, visited places. */

import { create } from 'zustand';
import { type Selection, sameSelection } from '#model/selection.ts';
import {
  coreTargetId,
  isWithoutTarget,
  loadState,
  type NamedKey,
  targetChoices,
} from '#store/kernels/core-view.ts';
import { onClosed } from '#store/session/files.ts';
import {
  activate,
  openFileBeside,
  otherPane,
  panesOf,
  type ShownPane,
  samePane,
  setView,
  showPanes,
} from '#store/session/panes.ts';
import {
  activeFileNow,
  baseChoice,
  type FileId,
  modelOf,
  type OpenFile,
  type Session,
  session,
} from '#store/session/session.ts';
import { formatViewState } from '#store/session/view-state.ts';
import { tabOf, type ViewName, viewFor, viewForFile, viewOf } from '#store/session/views.ts';
import { type Address, formatAddress, NO_PLACE, NO_TARGET, type Place, START } from './address.ts';
import { keyOf, keyOfId } from './file-keys.ts';
import { pageExtension } from './page-extension.ts';
import { selectionParams } from './selection-keys.ts';

/** Goes to the start page. Files stay open; links and lessons being opened are cancelled. */
export function goToStart(): void {
  void pageExtension().follow('#/');
}

/** Shows a view of the active file; the selection stays. Swaps panes if the other has the view. */
export function showView(view: ViewName): void {
  const file = activeFileNow();
  if (file === null) return;
  const goes = viewForFile(file, view);
  lastInTab.set(tabOf(goes), goes);
  if (file.view === goes) return;
  viewOf(goes)?.onShow?.(file);
  setView(file.id, goes);
}

/** The view last shown in each tab. */
const lastInTab = new Map<ViewName, ViewName>();

/** Shows the tab that contains `view`, with the view last shown in the tab. */
export function showTab(view: ViewName): void {
  const model = modelOf(activeFileNow());
  const last = lastInTab.get(tabOf(view)) ?? view;
  showView(model !== null && viewFor(model, last) === last ? last : view);
}

/** Sets the selection and shows `view`; in the other pane if that pane already shows `view`. */
export function select(selection: Selection, view?: ViewName): void {
  const file = activeFileNow();
  if (file === null) return;
  const goes = viewForFile(file, view ?? file.view);
  if (goes === file.view && sameSelection(selection, file.selection)) return;
  const { panes } = session.getState();
  const shown = panes.findIndex((pane) => samePane(pane, { fileId: file.id, view: goes }));
  if (shown < 0) setView(file.id, goes, { selection });
  else showPanes({ panes, currentPane: shown }, { patch: { selection } });
  const other = otherPane(session.getState())?.file ?? null;
  if (other === null || other.id === file.id) return;
  // Loaded on demand: few users show two files side by side.
  void import('./select-alike.ts').then(({ selectAlike }) =>
    selectAlike(other.id, file.id, selection),
  );
}

/** Makes a file active at the user's wish. It shows the type that the file before it shows. */
export function switchFile(id: FileId): void {
  const before = activeFileNow();
  activate(id);
  followFrom(before, id);
}

/** Shows a file in the second pane, at the type that the first pane shows. */
export function showFileBeside(id: FileId): void {
  const before = panesOf(session.getState())?.first.file ?? null;
  openFileBeside(id);
  followFrom(before, id);
}

function followFrom(before: OpenFile | null, id: FileId): void {
  if (before === null || before.id === id) return;
  void import('./select-alike.ts').then(({ followInto }) => followInto(id, before));
}

/** Returns the address of the current panes and lesson. */
export function addressNow(state: Session): Address {
  const panes = panesOf(state);
  const lesson = pageExtension().place();
  if (panes === null) return { ...START, ...lesson };
  const { first, second } = panes;
  return {
    ...START,
    hasView: true,
    ...placeOfPane(first),
    embed: state.embed,
    ...lesson,
    beside: placeBeside(first, second),
  };
}

/** Returns the address of what the page shows, as text. */
export function currentAddress(state: Session): string {
  return formatAddress(addressNow(state));
}

/** Returns `file` and `name` for an address. The name is empty if the page can fetch the file. */
export function fileInAddress(file: OpenFile, key: string): Pick<Place, 'file' | 'name'> {
  const isFetched = /^(sample|c1):/.test(key);
  return { file: key, name: isFetched ? '' : (file.origin?.name ?? file.name) };
}

/** Returns the place of a pane. `key` is the key of its file; null if it is not known. */
export function placeOfPane({ file, view }: ShownPane, key = keyOf(file)): Place {
  const model = modelOf(file);
  return {
    view,
    ...(key === null ? { file: '', name: '' } : fileInAddress(file, key)),
    base: keyOfId(baseId(file)) ?? '',
    target: viewOf(view)?.against === 'target' ? targetKey(file.id) : '',
    kernels: kernelsOfPane({ file, view }),
    notes: [],
    params: model === null ? START.params : selectionParams(model, file.selection),
    viewParams: formatViewState(file, view),
  };
}

/** Returns the file that a file is shown on: the base of split BTF, or the object of a log. */
function baseId(file: OpenFile): FileId | null {
  return file.boundObject ?? baseChoice(file).chosen?.fileId ?? null;
}

/** Returns the place of the second pane; null if its file has no key. */
export function placeBeside(first: ShownPane, second: ShownPane | null): Place | null {
  if (second === null) return null;
  const place = placeOfPane(second);
  if (second.file.id !== first.file.id) return place.file === '' ? null : place;
  const { view, target, viewParams } = place;
  return { ...NO_PLACE, view, target, viewParams };
}

function targetKey(object: FileId): string {
  return isWithoutTarget(object) ? NO_TARGET : (keyOfId(coreTargetId(object)) ?? '');
}

/** Returns the kernels in the address of a pane that shows *Load*; empty for other views. */
export function kernelsOfPane({ file, view }: ShownPane): readonly NamedKey[] {
  return viewOf(view)?.against === 'kernels' ? kernelKeys(file) : [];
}

/** Returns the chosen kernels of an object that have a key, and the link's missing kernels. */
function kernelKeys(object: OpenFile): readonly NamedKey[] {
  const { files } = session.getState();
  const { targets, wanted } = loadState.of(object);
  const chosen = targetChoices(object.id, files, targets).flatMap(({ id, name, isChosen }) => {
    const key = isChosen ? keyOfId(id) : null;
    return key === null ? [] : [{ key, name }];
  });
  for (const file of files) {
    const { status } = file;
    const ids = status.step === 'atlas' ? status.kernelIds : [];
    const key = keyOf(file);
    // An address names an atlas instead of each kernel in the atlas.
    if (key !== null && ids.some((id) => targets.get(id) !== false)) {
      chosen.push({ key, name: file.name });
    }
  }
  return [...chosen, ...wanted.filter(({ key }) => !chosen.some((one) => one.key === key))];
}

export type VisitedPlace = {
  readonly fileId: FileId;
  readonly view: ViewName;
  readonly selection: Selection;
};

/** Milliseconds that the user must stay at a place before it counts as visited. */
const STAY_MS = 400;
const MAX_PLACES = 20;

const useVisited = create<{ readonly places: readonly VisitedPlace[] }>(() => ({ places: [] }));

/** Returns visited places, newest first. React hook. */
export function useVisitedPlaces(): readonly VisitedPlace[] {
  return useVisited((state) => state.places);
}

/** Returns `places` with `place` first; an older entry for the same selection is removed. */
export function withVisit(
  places: readonly VisitedPlace[],
  place: VisitedPlace,
): readonly VisitedPlace[] {
  const others = places.filter(
    ({ fileId, selection }) =>
      fileId !== place.fileId || !sameSelection(selection, place.selection),
  );
  return [place, ...others].slice(0, MAX_PLACES);
}

/** Records the places that the user visits. Returns a function that stops the recording. */
export function watchPlaces(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = placeNow();
  const unsubscribe = session.subscribe(() => {
    const now = placeNow();
    if (isSame(seen, now)) return;
    seen = now;
    clearTimeout(timer);
    timer = setTimeout(noteVisit, STAY_MS);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Records the current place without the wait of `STAY_MS`, for the palette's list. */
export function noteVisit(): void {
  const place = placeNow();
  if (place !== null) useVisited.setState(({ places }) => ({ places: withVisit(places, place) }));
}

onClosed((id) => {
  useVisited.setState(({ places }) => ({ places: places.filter(({ fileId }) => fileId !== id) }));
});

function isSame(a: VisitedPlace | null, b: VisitedPlace | null): boolean {
  return a?.fileId === b?.fileId && a?.view === b?.view && a?.selection === b?.selection;
}

function placeNow(): VisitedPlace | null {
  const file = activeFileNow();
  if (file?.status.step !== 'ready' || file.selection.kind === 'none') return null;
  return { fileId: file.id, view: file.view, selection: file.selection };
}

/** Goes to a visited place, if its file is open. */
export function revisit({ fileId, view, selection }: VisitedPlace): void {
  activate(fileId);
  select(selection, view);
}
