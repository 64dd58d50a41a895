/** The panes: one or two views on the screen, one of them current. A view knows its own pane. */
import { createContext, useContext } from 'react';
import { isFramed } from '#store/page/host.ts';
import {
  activeFile,
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  type Pane,
  type Session,
  session,
  useSession,
} from './session.ts';
import { type ViewName, viewsOf } from './views.ts';

export type ShownPane = { readonly file: OpenFile; readonly view: ViewName };

/** Panes from left to right. */
export type Panes = {
  readonly first: ShownPane;
  readonly second: ShownPane | null;
  readonly isSecondCurrent: boolean;
};

/** Pane that contains a component; null for components outside of panes. */
const PaneContext = createContext<Pane | null>(null);
export const PaneProvider = PaneContext.Provider;

/** Returns the pane that contains the component; null outside of panes. */
export function usePane(): Pane | null {
  return useContext(PaneContext);
}

/** Returns the file of the component's pane; outside of panes the active file, or null. */
export function usePaneFile(): OpenFile | null {
  return useOfPaneFile((file) => file);
}

/** Returns `of` applied to the pane's file. Redraws only if the result changes. React hook. */
export function useOfPaneFile<T>(of: (file: OpenFile | null) => T): T {
  const pane = useContext(PaneContext);
  return useSession((state) =>
    of(pane === null ? activeFile(state) : fileById(state, pane.fileId)),
  );
}

/** Returns the panes with their files; null if no file is active. */
export function panesOf(state: Session): Panes | null {
  const [first, second = null] = state.panes.flatMap(({ fileId, view }): ShownPane[] => {
    const file = fileById(state, fileId);
    return file === null ? [] : [{ file, view }];
  });
  if (first === undefined) return null;
  return { first, second, isSecondCurrent: second !== null && state.currentPane === 1 };
}

/** Returns the pane that is not current; null if there is only one pane. */
export function otherPane(state: Session): ShownPane | null {
  const panes = panesOf(state);
  return panes === null || !panes.isSecondCurrent ? (panes?.second ?? null) : panes.first;
}

/** Returns the panes. Redraws when a pane or its file changes. React hook. */
export function usePanes(): Panes | null {
  useSession(activeFile);
  useSession((state) => otherPane(state)?.file ?? null);
  useSession((state) => state.panes);
  return panesOf(session.getState());
}

export type Layout = Pick<Session, 'panes' | 'currentPane'>;

/** Returns the layout in which a file is active with its remembered panes; empty for null. */
export function asLeft(state: Session, id: FileId | null): Layout {
  const file = fileById(state, id);
  if (file === null) return { panes: [], currentPane: 0 };
  const pane = { fileId: file.id, view: file.view };
  const at = file.panes?.findIndex((other) => !samePane(other, pane)) ?? -1;
  const other = at < 0 ? null : paneAsLeft(state, file, file.panes?.[at]);
  if (other === null) return { panes: [pane], currentPane: 0 };
  return at === 0
    ? { panes: [other, pane], currentPane: 1 }
    : { panes: [pane, other], currentPane: 0 };
}

/** Returns a remembered pane, or null if it cannot be shown. Another file has its current view. */
function paneAsLeft(state: Session, file: OpenFile, pane: Pane | undefined): Pane | null {
  if (pane === undefined) return null;
  if (pane.fileId === file.id) return canShow(file, pane.view) ? pane : null;
  const other = fileById(state, pane.fileId);
  return other && { fileId: other.id, view: other.view };
}

function canShow(file: OpenFile, view: ViewName): boolean {
  const model = modelOf(file);
  return model !== null && viewsOf(model).includes(view);
}

/** Returns true if both panes show the same view of the same file. */
export function samePane(a: Pane, b: Pane): boolean {
  return a.fileId === b.fileId && a.view === b.view;
}

/** Makes a file active, with the panes that it remembers. Null leaves no file active. */
export function activate(id: FileId | null): void {
  session.setState((state) => asLeft(state, id));
}

type Changes = {
  /** Changes to the file in the current pane. */
  readonly patch?: Partial<Pick<OpenFile, 'selection'>>;
  /** File that leaves the screen; its remembered panes are deleted. */
  readonly leaving?: FileId | undefined;
};

/** Shows panes. Each file remembers its view; the active file remembers the pair of panes. */
export function showPanes(
  { panes, currentPane }: Layout,
  { patch = {}, leaving }: Changes = {},
): void {
  const current = panes[currentPane];
  session.setState(({ files }) => ({
    panes,
    currentPane,
    files: files.map((file): OpenFile => {
      if (file.id === current?.fileId) return { ...file, ...patch, view: current.view, panes };
      if (file.id === leaving) return { ...file, panes: null };
      const pane = panes.find(({ fileId }) => fileId === file.id);
      if (pane === undefined || pane.view === file.view) return file;
      return { ...file, view: pane.view, panes: null };
    }),
  }));
}

/** Sets the view of a file. If the other pane shows the same view of it, the panes swap. */
export function setView(
  id: FileId,
  view: ViewName,
  patch: Partial<Pick<OpenFile, 'selection'>> = {},
): void {
  const { panes, currentPane } = session.getState();
  const shown = { fileId: id, view };
  if (panes[currentPane]?.fileId === id) {
    const isBeside = panes.some((pane, i) => i !== currentPane && samePane(pane, shown));
    const next = isBeside ? panes.toReversed() : panes.with(currentPane, shown);
    showPanes({ panes: next, currentPane }, { patch });
    return;
  }
  session.setState(({ files }) => ({
    panes: panes.map((pane) => (pane.fileId === id ? shown : pane)),
    files: files.map((file) => (file.id === id ? { ...file, ...patch, view, panes: null } : file)),
  }));
}

export function workIn(which: 'first' | 'second'): void {
  const { panes, currentPane } = session.getState();
  const index = which === 'first' ? 0 : 1;
  if (index !== currentPane && index < panes.length) showPanes({ panes, currentPane: index });
}

/** Makes the other pane current. Returns false if there is only one pane. */
export function workInOther(): boolean {
  const { panes, currentPane } = session.getState();
  if (panes.length < 2) return false;
  showPanes({ panes, currentPane: 1 - currentPane });
  return true;
}

/** Shows a view of the first pane's file in the second pane. The same pane stays current. */
export function openBeside(view: ViewName): void {
  const [first] = session.getState().panes;
  if (first !== undefined && first.view !== view) setSecond({ fileId: first.fileId, view });
}

/** Shows another file in the second pane. A file not viewed before gets the first pane's view. */
export function openFileBeside(id: FileId): void {
  const state = session.getState();
  const [first] = state.panes;
  const file = fileById(state, id);
  if (first === undefined || file === null || first.fileId === id) return;
  const isNew = file.view === 'overview' && canShow(file, first.view);
  setSecond({ fileId: id, view: isNew ? first.view : file.view });
}

function setSecond(pane: Pane): void {
  const [first, second] = session.getState().panes;
  const { currentPane } = session.getState();
  if (first === undefined) return;
  const panes = [first, pane];
  // The first file remembers the pair of panes; the second file does so if its pane is current.
  showPanes({ panes, currentPane: 0 }, { leaving: leavingOf(first, second) });
  if (currentPane === 1) workIn('second');
}

/** Returns the file of the second pane, which leaves the screen unless the first pane has it. */
function leavingOf(first: Pane, second: Pane | undefined): FileId | undefined {
  return second?.fileId === first.fileId ? undefined : second?.fileId;
}

export function closeBeside(): void {
  const [first, second] = session.getState().panes;
  if (first === undefined || second === undefined) return;
  showPanes({ panes: [first], currentPane: 0 }, { leaving: leavingOf(first, second) });
}

/** Swaps the panes. The view that was current stays current. */
export function swapPanes(): void {
  const { panes, currentPane } = session.getState();
  if (panes.length === 2) showPanes({ panes: panes.toReversed(), currentPane: 1 - currentPane });
}

/** Returns true if a type is shown without the type list: in a frame, for a link with types. */
export function isTypeAlone({ embed }: Session, file: OpenFile | null): boolean {
  return (embed !== false || isFramed()) && file?.origin?.carries.kind === 'types';
}
