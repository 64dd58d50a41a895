/**
 * Two views side by side. A pane is a view of a file. The one that is worked in is the file that
 * is looked at (`activeFile`) in its `view`, so that all that goes somewhere or sets something
 * does it there; the other is the file's `beside`. Working in the other makes the two change
 * places in the session, not on the screen. A view knows its own pane alone, by `usePaneFile`.
 */
import { createContext, useContext } from 'react';
import {
  activeFile,
  type Beside,
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  patchFile,
  type Session,
  session,
  useSession,
} from './session.ts';
import { type ViewName, viewsOf } from './views.ts';

export type Pane = { readonly file: OpenFile; readonly view: ViewName };

/** The panes as they stand on the screen. */
export type Panes = {
  readonly first: Pane;
  readonly second: Pane | null;
  /** Is the second the one that is worked in? */
  readonly isSecondCurrent: boolean;
};

/** Where a component is; null outside of panes. */
const PaneContext = createContext<PanePlace | null>(null);
export type PanePlace = { readonly fileId: FileId; readonly view: ViewName };
export const PaneProvider = PaneContext.Provider;

/** The pane that a component is in, null outside of panes. */
export function usePanePlace(): PanePlace | null {
  return useContext(PaneContext);
}

/** The file of the pane that a component is in, elsewhere the one that is looked at; null where there is none. */
export function usePaneFile(): OpenFile | null {
  return useOfPaneFile((file) => file);
}

/** What `of` gives for the file of the pane, as `usePaneFile`; draws again only when that changes. */
export function useOfPaneFile<T>(of: (file: OpenFile | null) => T): T {
  const place = useContext(PaneContext);
  return useSession((state) =>
    of(place === null ? activeFile(state) : fileById(state, place.fileId)),
  );
}

/** The panes when `file` is looked at. */
export function panesOf(file: OpenFile, state: Session = session.getState()): Panes {
  const current = { file, view: file.view };
  const other = otherPane(file, state);
  if (other === null) return { first: current, second: null, isSecondCurrent: false };
  return file.beside?.isFirst === true
    ? { first: other, second: current, isSecondCurrent: true }
    : { first: current, second: other, isSecondCurrent: false };
}

function otherPane(file: OpenFile, state: Session): Pane | null {
  const { beside } = file;
  if (beside == null) return null;
  if (beside.fileId !== file.id) {
    const other = fileById(state, beside.fileId);
    return other && { file: other, view: other.view };
  }
  const model = modelOf(file);
  const isThere =
    beside.view !== file.view && model !== null && viewsOf(model).includes(beside.view);
  return isThere ? { file, view: beside.view } : null;
}

/** The pane beside the file that is looked at, or null. */
export function besideNow(state: Session): Pane | null {
  const file = activeFile(state);
  return file === null ? null : otherPane(file, state);
}

/** The panes; draws again when one of them changes. Null while no file is looked at. */
export function usePanes(): Panes | null {
  const file = useSession(activeFile);
  // Another file's view and status are its own.
  useSession((state) => besideNow(state)?.file ?? null);
  return file === null ? null : panesOf(file);
}

type FilePatch = Pick<OpenFile, 'beside'> & Partial<Pick<OpenFile, 'view'>>;
type FilePatches = readonly (readonly [id: FileId, patch: FilePatch])[];

/** In one change of the session, which is one entry of the history. Of several patches of a file the last counts. */
function setPanes(activeId: FileId, patches: FilePatches): void {
  const byFile = new Map(patches);
  session.setState(({ files }) => ({
    activeId,
    files: files.map((file) => {
      const patch = byFile.get(file.id);
      return patch === undefined ? file : { ...file, ...patch };
    }),
  }));
}

/** Works in the first or the second pane from now on. */
export function workIn(which: 'first' | 'second'): void {
  const file = activeFile(session.getState());
  if (file?.beside == null || file.beside.isFirst !== (which === 'first')) return;
  const other = otherPane(file, session.getState());
  if (other === null) return;
  const beside = { fileId: file.id, view: file.view, isFirst: which === 'second' };
  setPanes(other.file.id, [[other.file.id, { view: other.view, beside }]]);
}

/** Works in the pane that was not worked in; false where there is one only. */
export function workInOther(): boolean {
  const file = activeFile(session.getState());
  const panes = file && panesOf(file);
  if (panes?.second == null) return false;
  workIn(panes.isSecondCurrent ? 'first' : 'second');
  return true;
}

/** Shows a view of the first pane's file in the second pane. Whoever works in the second goes on there. */
export function openBeside(view: ViewName): void {
  setSecond(({ first }) =>
    first.view === view ? null : { fileId: first.file.id, view, isFirst: false },
  );
}

/** Shows another file in the second pane. */
export function openFileBeside(id: FileId): void {
  setSecond(({ first }) =>
    first.file.id === id ? null : { fileId: id, view: first.view, isFirst: false },
  );
}

function setSecond(besideOf: (panes: Panes) => Beside | null): void {
  const state = session.getState();
  const file = activeFile(state);
  if (file === null) return;
  const panes = panesOf(file, state);
  const beside = besideOf(panes);
  if (beside === null) return;
  const { first, second, isSecondCurrent } = panes;
  const other = beside.fileId === first.file.id ? null : fileById(state, beside.fileId);
  setPanes(first.file.id, [
    ...alone(second),
    ...(other === null ? [] : [[other.id, firstSight(other, first.view)] as const]),
    [first.file.id, { view: first.view, beside }],
  ]);
  if (isSecondCurrent) workIn('second');
}

/** A file that nobody has looked through yet is shown in the view that it is put beside. */
function firstSight(file: OpenFile, view: ViewName) {
  const model = modelOf(file);
  const goes = file.view === 'overview' && model !== null && viewsOf(model).includes(view);
  return goes ? { view, beside: null } : { beside: null };
}

function alone(pane: Pane | null): FilePatches {
  return pane === null ? [] : [[pane.file.id, { beside: null }]];
}

/** Leaves the first pane alone. */
export function closeBeside(): void {
  const file = activeFile(session.getState());
  if (file === null) return;
  const { first, second } = panesOf(file);
  setPanes(first.file.id, [...alone(second), [first.file.id, { view: first.view, beside: null }]]);
}

/** The two panes change places. */
export function swapPanes(): void {
  const file = activeFile(session.getState());
  if (file?.beside == null) return;
  patchFile(file.id, { beside: { ...file.beside, isFirst: !file.beside.isFirst } });
}
