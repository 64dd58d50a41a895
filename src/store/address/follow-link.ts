/** Follows links: opens the file and its base, then sets view and selection. Announces failures. */
import { append } from '#bytes/arrays.ts';
import { counted, drawnName } from '#bytes/text.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { loadState, setCoreTarget } from '#store/kernels/core-view.ts';
import { asLeft, setView, showPanes } from '#store/session/panes.ts';
import {
  activeFile,
  activeFileNow,
  announce,
  baseChoice,
  type FileId,
  fileNow,
  hasViews,
  logOf,
  modelOf,
  type OpenFile,
  type Pane,
  patchFile,
  type Session,
  session,
  typesOf,
} from '#store/session/session.ts';
import { applyViewState } from '#store/session/view-state.ts';
import { tabOf, viewFor, viewForFile, viewOf, viewTitle } from '#store/session/views.ts';
import {
  type Address,
  formatAddress,
  NO_TARGET,
  type Place,
  parseAddress,
  START,
} from './address.ts';
import { type FoundFile, openByKey } from './file-keys.ts';
import { resolveSelection } from './selection-keys.ts';
import { openSource } from './source-link.ts';

/** Link that waits until the user opens its file, and the files that were open before. */
let waiting: { readonly address: Address; readonly before: ReadonlySet<FileId> } | null = null;
/** Number of the newest link: a slow older link must not replace it. */
let latest = 0;

/** Opens the file of an address if needed and sets view and selection. Cancels an earlier link. */
export async function followAddress(hash: string): Promise<void> {
  const mine = ++latest;
  const isLatest = () => mine === latest;
  const address = parseAddress(hash);
  session.setState({ embed: address.embed });
  waiting = null;
  if (formatAddress(address) === formatAddress(START)) {
    session.setState({ panes: [], wanted: null });
    return;
  }
  const found = await openNamed(address, isLatest);
  if (!isLatest()) return;
  const file = found === null ? activeFileNow() : found.file;
  if (file !== null) await arrive(file.id, address);
  else if (found?.problem != null) wantInstead(address, found.problem);
}

/** Goes to the place of an address in file `id`, whatever file the address names. */
export async function followIn(id: FileId, address: Address): Promise<void> {
  waiting = null;
  await arrive(id, { ...address, file: '', src: '' });
}

/** Opens the file of an address; null if the address names no file. */
async function openNamed(
  { src, file, name }: Address,
  activate: () => boolean,
): Promise<FoundFile | null> {
  if (src !== '') return await openSource(src, document.baseURI, { activate });
  return file === '' ? null : await openByKey(file, name, { activate });
}

/** Asks the user for the file of a link; `problem` says why the page cannot open it. */
function wantInstead(address: Address, problem: string): void {
  const before = new Set(session.getState().files.map(({ id }) => id));
  waiting = { address, before };
  session.setState({
    wanted: { file: address.file, name: address.name, problem },
    panes: [],
  });
  announce(drawnName(problem));
}

/** Continues a waiting link once a file is open. Call it when the session changes. */
export function resumeLink(state: Session): void {
  if (waiting === null) return;
  const { address: wanted } = waiting;
  // The file may have been open all the time: its hash is known only some time after opening.
  const known = state.files.find(({ sha256 }) => sha256 !== null && sha256 === wanted.file);
  if (known !== undefined && hasViews(known)) {
    waiting = null;
    announce(`${drawnName(known.name)} is the file of the link`);
    void arrive(known.id, wanted);
    return;
  }
  if (state.wanted !== null) return;
  const file = activeFile(state);
  if (file === null || waiting.before.has(file.id)) {
    // The user has gone to another file: the link no longer waits.
    waiting = null;
  } else if (hasViews(file)) {
    waiting = null;
    void arrive(file.id, wanted);
  }
}

/** Shows the place of a link in an open file, unless the user leaves the file meanwhile. */
async function arrive(id: FileId, address: Address): Promise<void> {
  const mine = ++latest;
  session.setState((state) => ({ ...asLeft(state, id), wanted: null }));
  const problems = await prepare(id, address);
  const place = address.beside;
  const secondId = place === null ? null : await openSecond(id, place, problems);
  const file = activeFileNow();
  if (file?.id !== id || mine !== latest) return;
  const model = modelOf(file);
  const first = placeIn(id, address);
  const second = place === null || secondId === null ? null : placeIn(secondId, place);
  const isOther = second !== null && second.pane.fileId !== id;
  if (isOther) setView(second.pane.fileId, second.pane.view, second.patch);
  // Two panes of one file share its selection; the second view must exist for the file.
  const isView =
    model !== null && second?.pane.view === place?.view && second?.pane.view !== first.pane.view;
  const panes = second !== null && (isOther || isView) ? [first.pane, second.pane] : [first.pane];
  showPanes({ panes, currentPane: 0 }, { patch: first.patch });
  append(problems, [...(isOther ? second.problems : []), ...first.problems]);
  if (model === null) {
    if (hasViews(file)) tell(file, address, problems);
    if (address.notes.length > 0) void bringNotes(id, address.notes);
    return;
  }
  const { selection } = fileNow(id) ?? file;
  if (selection.kind === 'type' && address.layout !== '' && model.types !== null) {
    // Loaded on demand: the layout code is large, and few links have a layout hash.
    const { layoutNews } = await import('#analysis/links/layout-hash.ts');
    const news = layoutNews(model.types, selection.type, address.layout);
    if (news !== null) problems.push(news);
  }
  tell(file, address, problems);
  if (address.notes.length > 0) void bringNotes(id, address.notes);
}

/** Adds the notes of a link to the notes on the file, and tells the user. */
async function bringNotes(id: FileId, notes: Address['notes']): Promise<void> {
  const { takeNotes } = await import('./edit-notes.ts');
  const added = await takeNotes(id, notes);
  const file = fileNow(id);
  if (added === 0 || file === null) return;
  const { expected = null, sentences = [] } = file.notice ?? {};
  const news = `The link added ${counted(added, 'note')} to this file: press m to list the notes`;
  patchFile(id, { notice: { expected, sentences: [...sentences, news] } });
}

/** Opens the file of the second pane if needed. On failure adds to `problems` and returns null. */
async function openSecond(first: FileId, place: Place, problems: string[]): Promise<FileId | null> {
  let id = first;
  if (place.file !== '') {
    const { file, problem } = await openByKey(place.file, place.name, { activate: false });
    if (file === null) {
      problems.push(`The second file of this link is not open. ${problem}`);
      return null;
    }
    id = file.id;
  }
  append(problems, await prepare(id, place));
  return id;
}

type PlaceInFile = {
  readonly pane: Pane;
  readonly patch: Partial<Pick<OpenFile, 'selection'>>;
  readonly problems: readonly string[];
};

/** Sets the view state of a place, and finds its view and selection in file `id`. */
function placeIn(id: FileId, place: Place): PlaceInFile {
  applyViewState(id, place.view, place.viewParams);
  const file = fileNow(id);
  const model = modelOf(file);
  if (model === null) {
    const view = file === null ? place.view : viewForFile(file, place.view);
    return { pane: { fileId: id, view }, patch: {}, problems: [] };
  }
  const { selection, problem } =
    place.params.size === 0
      ? { selection: NO_SELECTION, problem: null }
      : resolveSelection(model, place.params);
  // Copies the selection, because lessons tell it from the user's selections by identity.
  const linked = selection === NO_SELECTION ? NO_SELECTION : { ...selection };
  const view = viewFor(model, place.view);
  if (problem !== null) announce(drawnName(problem));
  const problems = [
    ...(tabOf(view) === tabOf(place.view)
      ? []
      : [`This file has no view ${viewTitle(place.view)}`]),
    ...(problem === null ? [] : [problem]),
  ];
  return { pane: { fileId: id, view }, patch: { selection: linked }, problems };
}

/** Opens the base, the CO-RE target and the kernels of a link. Returns one sentence per failure. */
async function prepare(id: FileId, address: Place): Promise<string[]> {
  const problems: string[] = [];
  const file = fileNow(id);
  const isLog = logOf(file) !== null;
  const baseProblem = isLog
    ? await (await import('./log-object.ts')).openObjectOf(id, address)
    : await standOnBase(file, address.base);
  const base = isLog ? 'object' : 'base';
  if (baseProblem !== null) problems.push(`The ${base} of this link is not open. ${baseProblem}`);
  // Older links to *Load* name a target, which is one of their kernels.
  if (address.target !== '' || viewOf(address.view)?.against === 'target') {
    const problem = await takeTarget(id, address.target);
    if (problem !== null) problems.push(`The CO-RE target of this link is not open. ${problem}`);
  }
  if (address.kernels.length > 0) await takeKernels(id, address.kernels);
  return problems;
}

/** Sets the CO-RE target of an object to the file with the key. Returns the problem, or null. */
async function takeTarget(id: FileId, key: string): Promise<string | null> {
  if (key === '' || key === NO_TARGET) {
    setCoreTarget(id, key === '' ? undefined : null);
    return null;
  }
  const { file, problem } = await openByKey(key, 'its CO-RE target', { activate: false });
  setCoreTarget(id, file?.id ?? null);
  return file === null ? problem : null;
}

/** Sets and opens the kernels of *Load*; the view asks the user for those not found. */
async function takeKernels(id: FileId, kernels: Address['kernels']): Promise<void> {
  const others = session.getState().files.flatMap(({ id: own, status }) => {
    const inAtlas = status.step === 'atlas' ? status.kernelIds : [];
    return [own, ...inAtlas].map((one) => [one, false] as const);
  });
  const targets = new Map<FileId, boolean>(others);
  const wanted: (typeof kernels)[number][] = [];
  for (const { key, name } of kernels) {
    const { file } = await openByKey(key, name, { activate: false });
    if (file === null) wanted.push({ key, name });
    else if (file.status.step === 'atlas') {
      for (const id of file.status.kernelIds) targets.delete(id);
    } else targets.set(file.id, true);
  }
  loadState.set({ targets, wanted }, id);
}

/** Sets the base of split BTF to the file with the key. Returns the problem, or null. */
export async function standOnBase(file: OpenFile | null, key: string): Promise<string | null> {
  if (file === null || key === '' || modelOf(file)?.splitBase == null) return null;
  const { file: base, problem } = await openByKey(key, 'its base', { activate: false });
  if (base === null) return problem;
  const types = typesOf(base);
  const { chosen } = baseChoice(fileNow(file.id));
  if (types !== null && chosen?.fileId !== base.id) {
    const { chooseBase } = await import('./bases.ts');
    await chooseBase(file.id, { fileId: base.id, name: base.name, types });
  }
  return null;
}

function tell(file: OpenFile, address: Address, sentences: readonly string[]): void {
  const isNamed = /^[0-9a-f]{64}$/.test(address.file);
  const expected = isNamed && file.sha256 !== address.file ? address.file : null;
  const isQuiet = sentences.length === 0 && expected === null;
  patchFile(file.id, { notice: isQuiet ? null : { expected, sentences } });
}
