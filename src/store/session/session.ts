/** State of the page: open files, panes, selections. Components read it with `useSession`. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AtlasSummary } from '#analysis/atlas/atlas-names.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ArchiveMember, ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ViewName } from './views.ts';

/** Number of an open file. A session never uses a number twice. */
export type FileId = number;

export type FileStatus =
  | {
      readonly step: 'opening';
      readonly what: string;
      readonly done: number;
      readonly total: number;
      /** First lines of a text, while the rest is read. */
      readonly lines?: string | undefined;
    }
  | { readonly step: 'ready'; readonly model: ObjectModel }
  | {
      readonly step: 'archive';
      readonly members: readonly ArchiveMember[];
      readonly issues: readonly Issue[];
    }
  | {
      readonly step: 'atlas';
      readonly atlas: AtlasSummary;
      /** Ids by which the atlas's kernels can be chosen as targets, by kernel number. */
      readonly kernelIds: readonly FileId[];
    }
  | { readonly step: 'log'; readonly log: LogOverview; readonly issues: readonly Issue[] }
  | { readonly step: 'failed'; readonly issue: Issue };

/** Types that can be the base of split BTF. They remain after their file is closed. */
export type BaseFile = {
  /** File that has the types; it may be closed. */
  readonly fileId: FileId;
  readonly name: string;
  readonly types: TypeTable;
};

export type BaseChoice = {
  /** Base that the file is read with; null for none. */
  readonly chosen: BaseFile | null;
  /** Base that was refused last, the reason, and the comparison of its types if known. */
  readonly refused: {
    readonly issue: Issue;
    readonly base: BaseFile | null;
    readonly matches: readonly DistilledMatch[];
  } | null;
  /** Number of times that the base was changed. Answers about earlier readings are invalid. */
  readonly reading: number;
};

const NO_CHOICE: BaseChoice = { chosen: null, refused: null, reading: 0 };

/** The link from which a file came, if the link contained the file or its types. */
export type LinkOrigin = {
  /** Value of `file=` in the link. */
  readonly key: string;
  /** Name of the file from which the link was made, not escaped; may be empty. */
  readonly name: string;
  readonly carries:
    | { readonly kind: 'types'; readonly typeCount: number; readonly declaredCount: number }
    | { readonly kind: 'file' };
};

/** Differences between a link and what the page shows for it. */
export type LinkNotice = {
  /** SHA-256 that the link names, if the user opened another file for it; otherwise null. */
  readonly expected: string | null;
  /** Differences as sentences without a full stop, not escaped. */
  readonly sentences: readonly string[];
};

export type OpenFile = {
  readonly id: FileId;
  readonly name: string;
  /** Size of the opened file in bytes. */
  readonly size: number;
  /** Path under `samples/` if the file is an example, otherwise null. */
  readonly sample: string | null;
  /** SHA-256 of the file in hex; null until it is computed. */
  readonly sha256: string | null;
  readonly status: FileStatus;
  /** Findings of lint; null until the worker has returned them. */
  readonly findings: readonly Issue[] | null;
  /** Reason why the worker can no longer read the file; absent while it can. */
  readonly fault?: Issue;
  /** Base of split BTF; absent until one is chosen or rejected. Read it with `baseChoice`. */
  readonly base?: BaseChoice;
  /** Object that the shown part of a log is of; null or absent for none. */
  readonly boundObject?: FileId | null;
  /** Kernel whose type ids a log has; null or absent for none. */
  readonly boundKernel?: FileId | null;
  /** Value of `file=` that contains the workbench's declarations; null until it is computed. */
  readonly declarationsKey?: string | null;
  /** Value of `file=` that contains a small log; absent for other files. */
  readonly carriedKey?: string;
  /** Value of `file=` for a file that stays on the page's server; absent for other files. */
  readonly servedKey?: string;
  /** The link that contained the file; absent for other files. */
  readonly origin?: LinkOrigin;
  /** Notice about the link that opened the file; null or absent without one. */
  readonly notice?: LinkNotice | null;
  /** View that shows the file, or that showed it last. */
  readonly view: ViewName;
  readonly selection: Selection;
  /** Panes to restore when the file becomes active again; without them, the file's view alone. */
  readonly panes?: readonly Pane[] | null;
  /** State of the views by slice name; see `ViewState`. */
  readonly viewState?: Readonly<Record<string, object>>;
};

/** A pane on the screen: a view of an open file. */
export type Pane = { readonly fileId: FileId; readonly view: ViewName };

/** File that a link needs and that is not open. The page asks the user for it. */
export type Wanted = {
  /** Value of `file=`: `sample:PATH` or a SHA-256 in hex. */
  readonly file: string;
  readonly name: string;
  readonly problem: string;
};

/** Value of `embed=`: true or a theme if the page shows only the view, as in a frame. */
export type Embed = boolean | 'light' | 'dark';

export type Session = {
  readonly files: readonly OpenFile[];
  /** The one or two panes on the screen; empty if no file is active. `panes.ts` changes them. */
  readonly panes: readonly Pane[];
  /** Index of the current pane, whose file is the active file. */
  readonly currentPane: number;
  /** Sentence that the status region shows. */
  readonly status: string;
  readonly wanted: Wanted | null;
  readonly embed: Embed;
  /** Increases when bytes arrive in the cache, so that views redraw. */
  readonly bytesVersion: number;
  /** Slices as set most recently in any file; new files begin with them. See `ViewState`. */
  readonly lastViewState: Readonly<Record<string, object>>;
};

export const session = createStore<Session>(() => ({
  files: [],
  panes: [],
  currentPane: 0,
  status: '',
  wanted: null,
  embed: false,
  bytesVersion: 0,
  lastViewState: {},
}));

/** Returns `select` applied to the session. Redraws when the result changes. React hook. */
export function useSession<T>(select: (state: Session) => T): T {
  return useStore(session, select);
}

export function fileById(state: Session, id: FileId | null): OpenFile | null {
  return state.files.find((file) => file.id === id) ?? null;
}

/** Returns the current state of the file with this id, or null. */
export function fileNow(id: FileId | null): OpenFile | null {
  return fileById(session.getState(), id);
}

/** Returns the id of the active file, or null. */
export function activeId({ panes, currentPane }: Session): FileId | null {
  return panes[currentPane]?.fileId ?? null;
}

/** Returns the active file, or null. */
export function activeFile(state: Session): OpenFile | null {
  return fileById(state, activeId(state));
}

/** Returns the current state of the active file, or null. */
export function activeFileNow(): OpenFile | null {
  return activeFile(session.getState());
}

/** Returns the model of an open file; null for other files, and for a file that is not read. */
export function modelOf(file: OpenFile | null): ObjectModel | null {
  return file?.status.step === 'ready' ? file.status.model : null;
}

/** Returns the atlas data of an open file; null if it is not an atlas. */
export function atlasOf(file: OpenFile | null): AtlasSummary | null {
  return file?.status.step === 'atlas' ? file.status.atlas : null;
}

/** Returns the overview of an open log; null for other files. */
export function logOf(file: OpenFile | null): LogOverview | null {
  return file?.status.step === 'log' ? file.status.log : null;
}

/** Returns true if the file is open and has views. */
export function hasViews({ status }: OpenFile): boolean {
  return status.step === 'ready' || status.step === 'atlas' || status.step === 'log';
}

/** Returns the open atlas that contains a kernel, and the kernel's number; null for other ids. */
export function atlasPlace(
  { files }: Session,
  id: FileId,
): { readonly atlas: OpenFile; readonly kernel: number } | null {
  for (const atlas of files) {
    const kernel = atlas.status.step === 'atlas' ? atlas.status.kernelIds.indexOf(id) : -1;
    if (kernel >= 0) return { atlas, kernel };
  }
  return null;
}

/** Returns the types of an open file; null if it has none or is not read yet. */
export function typesOf(file: OpenFile | null): TypeTable | null {
  return modelOf(file)?.types ?? null;
}

export function baseChoice(file: OpenFile | null): BaseChoice {
  return file?.base ?? NO_CHOICE;
}

/** Changes fields of one file; does nothing for an unknown id. To change the view use `setView`. */
export function patchFile(
  id: FileId,
  patch: Partial<Omit<OpenFile, 'id' | 'view' | 'panes'>>,
): void {
  session.setState((state) => ({
    files: state.files.map((file) => (file.id === id ? { ...file, ...patch } : file)),
  }));
}

/** Shows a sentence in the status region, which screen readers read aloud. */
export function announce(status: string): void {
  session.setState({ status });
}

/** Shows a sentence in the status region until another view or file is shown. */
export function announceInView(status: string): void {
  announce(status);
  const paneOf = ({ panes, currentPane }: Session) => panes[currentPane];
  const shown = paneOf(session.getState());
  const stop = session.subscribe((state) => {
    const isSaid = state.status === status;
    const now = paneOf(state);
    const isThere = now?.fileId === shown?.fileId && now?.view === shown?.view;
    if (isSaid && isThere) return;
    stop();
    if (isSaid) announce('');
  });
}
