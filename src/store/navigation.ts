/** Going places: which file, which view, what is selected. The address and the history follow. */
import { type Selection, sameSelection } from '#model/selection.ts';
import {
  coreTargetId,
  isWithoutTarget,
  loadState,
  type NamedKey,
  targetChoices,
} from './core-view.ts';
import { keyOf, keyOfId } from './file-keys.ts';
import { type AddressContext, formatAddress, lessonAddress, NO_TARGET } from './location.ts';
import { pageExtension } from './page-extension.ts';
import {
  activeFile,
  baseChoice,
  type FileId,
  modelOf,
  type OpenFile,
  patchFile,
  type Session,
  session,
  type ViewName,
  viewFor,
} from './session.ts';
import { coreState, formatViewState } from './view-state.ts';

/** Looks at another open file, as it was left. */
export function activate(id: FileId): void {
  session.setState({ activeId: id });
}

/** Shows another view of the file that is looked at; the selection stays. */
export function showView(view: ViewName): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  const goes = possible(file, view);
  if (file.view !== goes) patchFile(file.id, { view: goes });
}

/** Selects, and with `view` goes there. */
export function select(selection: Selection, view?: ViewName): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  const goes = possible(file, view ?? file.view);
  if (goes === file.view && sameSelection(selection, file.selection)) return;
  // A record selected in another view is to be seen in the CO-RE view, not a log or the table of kernels.
  if (selection.kind === 'core' && file.view !== 'core') coreState.set({ mode: 'records' });
  patchFile(file.id, { selection, view: goes });
}

/** A view that the file can have: the overview stands for those that it cannot. */
function possible(file: OpenFile, view: ViewName): ViewName {
  const model = modelOf(file);
  return model === null ? view : viewFor(model, view);
}

/** The address of what is shown now. */
export function currentAddress(state: Session): string {
  const file = activeFile(state);
  const place = pageExtension().place();
  const lesson = place === null ? {} : { lesson: place };
  if (file === null) return place === null ? '#/' : lessonAddress(place);
  const key = keyOf(file);
  const name = file.origin?.name ?? file.name;
  return formatAddress(
    file.view,
    key === null ? null : { id: key, name },
    modelOf(file),
    file.selection,
    { ...addressContext(file), embed: state.embed, ...lesson },
  );
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
  return [...chosen, ...wanted.filter(({ key }) => !chosen.some((one) => one.key === key))];
}

/** What the address of `file` says besides its view, file and selection. */
export function addressContext(file: OpenFile): AddressContext {
  const { chosen } = baseChoice(file);
  return {
    base: chosen === null ? null : keyOfId(chosen.fileId),
    target: file.view === 'core' ? targetKey(file.id) : null,
    kernels: file.view === 'core' && coreState.of(file).mode === 'load' ? kernelKeys(file) : [],
    viewParams: formatViewState(file, file.view),
  };
}
