/** Going places: which file, which view, what is selected. The address and the history follow. */
import { NOTHING, type Selection, sameSelection } from '#model/selection.ts';
import {
  coreTargetId,
  isWithoutTarget,
  loadState,
  type NamedKey,
  TARGET_VIEWS,
  targetChoices,
} from '#store/kernels/core-view.ts';
import {
  otherPane,
  panesOf,
  type ShownPane,
  samePane,
  setView,
  showPanes,
} from '#store/session/panes.ts';
import {
  activeFile,
  baseChoice,
  type FileId,
  modelOf,
  type OpenFile,
  type Session,
  session,
} from '#store/session/session.ts';
import { formatViewState } from '#store/session/view-state.ts';
import { tabOf, type ViewName, viewFor, viewForFile, viewOf } from '#store/session/views.ts';
import { keyOf, keyOfId } from './file-keys.ts';
import {
  formatAddress,
  formatBeside,
  lessonAddress,
  NO_TARGET,
  type PlaceContext,
} from './location.ts';
import { pageExtension } from './page-extension.ts';

/** Goes to the start page; a link or a lesson that is still on its way ends. Open files stay open. */
export function goToStart(): void {
  void pageExtension().follow('#/');
}

/**
 * Shows another view of the file that is looked at; the selection stays. A view that the other pane
 * shows changes places with this one.
 */
export function showView(view: ViewName): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  const goes = viewForFile(file, view);
  lastInTab.set(tabOf(goes), goes);
  if (file.view === goes) return;
  viewOf(goes)?.onShow?.(file);
  setView(file.id, goes);
}

/** The view of each tab that was looked at last. */
const lastInTab = new Map<ViewName, ViewName>();

/** Goes to the tab of `view`, as it was left. */
export function showTab(view: ViewName): void {
  const model = modelOf(activeFile(session.getState()));
  const last = lastInTab.get(tabOf(view)) ?? view;
  showView(model !== null && viewFor(model, last) === last ? last : view);
}

/** Selects, and with `view` goes there: to the other pane where that shows the view. */
export function select(selection: Selection, view?: ViewName): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  const goes = viewForFile(file, view ?? file.view);
  if (goes === file.view && sameSelection(selection, file.selection)) return;
  const { panes } = session.getState();
  const shown = panes.findIndex((pane) => samePane(pane, { fileId: file.id, view: goes }));
  if (shown < 0) setView(file.id, goes, { selection });
  else showPanes({ panes, currentPane: shown }, { patch: { selection } });
  const other = otherPane(session.getState())?.file ?? null;
  if (other === null || other.id === file.id) return;
  // Two files side by side are rare, and what this needs is large.
  void import('./select-alike.ts').then(({ selectAlike }) =>
    selectAlike(other.id, file.id, selection),
  );
}

/** The address of what is shown now. */
export function currentAddress(state: Session): string {
  const panes = panesOf(state);
  const place = pageExtension().place();
  const lesson = place === null ? {} : { lesson: place };
  if (panes === null) return place === null ? '#/' : lessonAddress(place);
  const { first, second } = panes;
  return formatAddress(
    first.view,
    nameInAddress(first.file),
    modelOf(first.file),
    first.file.selection,
    {
      ...addressContext(first.file, first.view),
      embed: state.embed,
      ...lesson,
      beside: besideAddress(first, second),
    },
  );
}

/** Null while the hash of the file is not known. */
function nameInAddress(file: OpenFile): { readonly id: string; readonly name: string } | null {
  const id = keyOf(file);
  return id === null ? null : { id, name: file.origin?.name ?? file.name };
}

/** The second pane in the address of the first; nothing while its file has no key. */
export function besideAddress(first: ShownPane, second: ShownPane | null): readonly string[] {
  if (second === null) return [];
  const { file, view } = second;
  const context = addressContext(file, view);
  if (file.id === first.file.id) {
    const { target, viewParams } = context;
    return formatBeside(view, null, null, NOTHING, { target, viewParams });
  }
  const name = nameInAddress(file);
  return name === null ? [] : formatBeside(view, name, modelOf(file), file.selection, context);
}

function targetKey(object: FileId): string | null {
  return isWithoutTarget(object) ? NO_TARGET : keyOfId(coreTargetId(object));
}

/** The kernels that an object is tried on, as far as they can be named, and those that a link asked for. */
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
    // Of an atlas those are named by it that a person would get who opens it.
    if (key !== null && ids.some((id) => targets.get(id) !== false)) {
      chosen.push({ key, name: file.name });
    }
  }
  return [...chosen, ...wanted.filter(({ key }) => !chosen.some((one) => one.key === key))];
}

/** What the address says of `file` besides its view, file and selection. */
export function addressContext(
  file: OpenFile,
  view = file.view,
): Required<Omit<PlaceContext, 'layout' | 'notes'>> {
  const { chosen } = baseChoice(file);
  return {
    base: chosen === null ? null : keyOfId(chosen.fileId),
    target: TARGET_VIEWS.includes(view) ? targetKey(file.id) : null,
    kernels: view === 'load' ? kernelKeys(file) : [],
    viewParams: formatViewState(file, view),
  };
}
