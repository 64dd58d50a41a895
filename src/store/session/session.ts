/** State of the page: open files, panes, selections. Views read it with `useSession`. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AtlasSummary } from '#analysis/atlas/atlas-names.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ArchiveMember, ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ViewName } from './views.ts';

/** Number of an open file, never used twice in a session. */
export type FileId = number;

export type FileStatus =
  | {
      readonly step: 'opening';
      readonly what: string;
      readonly done: number;
      readonly total: number;
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
      /** Ids of the kernels as targets, by kernel number. */
      readonly kernelIds: readonly FileId[];
    }
  | { readonly step: 'failed'; readonly issue: Issue };

/** Types that can be the base of split BTF. They stay when their own file is closed. */
export type BaseFile = {
  /** File of the types, which may be closed. */
  readonly fileId: FileId;
  readonly name: string;
  readonly types: TypeTable;
};

export type BaseChoice = {
  /** Base in use. */
  readonly chosen: BaseFile | null;
  /** Base that was refused last, the reason, and how its types compare if that is known. */
  readonly refused: {
    readonly issue: Issue;
    readonly base: BaseFile | null;
    readonly matches: readonly DistilledMatch[];
  } | null;
  /** Grows when the file is read again on another base, which makes earlier answers invalid. */
  readonly reading: number;
};

const NO_CHOICE: BaseChoice = { chosen: null, refused: null, reading: 0 };

/** Link that carried a file. */
export type LinkOrigin = {
  /** Value of `file=`. */
  readonly key: string;
  /** Name of the file that the link was made from. Raw text; may be empty. */
  readonly name: string;
  readonly carries:
    | { readonly kind: 'types'; readonly typeCount: number; readonly declaredCount: number }
    | { readonly kind: 'file' };
};

/** Differences between a link and the place that it led to. */
export type LinkNotice = {
  /** SHA-256 of the file of the link, if another file was opened in its place. */
  readonly expected: string | null;
  /** Sentences without a full stop; raw text. */
  readonly sentences: readonly string[];
};

export type OpenFile = {
  readonly id: FileId;
  readonly name: string;
  /** Bytes of the opened file. */
  readonly size: number;
  /** Path under `samples/` of an example, else null. */
  readonly sample: string | null;
  /** SHA-256 of the file in hex, null until it is known. */
  readonly sha256: string | null;
  readonly status: FileStatus;
  /** Findings of lint; null until the worker has sent them. */
  readonly findings: readonly Issue[] | null;
  /** Reason why no more of the file can be read. */
  readonly fault?: Issue;
  /** Absent before a choice; read it with `baseChoice`. */
  readonly base?: BaseChoice;
  /** Only for declarations of the workbench: value of `file=` that carries them, null until it is computed. */
  readonly declarationsKey?: string | null;
  /** Only for a file that stays on the page's server: its value of `file=`. */
  readonly servedKey?: string;
  /** Only for a file that a link carried. */
  readonly origin?: LinkOrigin;
  /** Notice about the link that led here, if any. */
  readonly notice?: LinkNotice | null;
  /** The view in which the file is shown, or was shown last. */
  readonly view: ViewName;
  readonly selection: Selection;
  /** Panes to come back to when this file becomes active again; null and absent: its view alone. */
  readonly panes?: readonly Pane[] | null;
  /** State of views by slice; see `ViewState`. */
  readonly viewState?: Readonly<Record<string, object>>;
};

/** A view of an open file on the screen. */
export type Pane = { readonly fileId: FileId; readonly view: ViewName };

/** File of a link that is not open; the page asks the person for it. */
export type Wanted = {
  /** `sample:PATH` or a SHA-256 in hex. */
  readonly file: string;
  readonly name: string;
  readonly problem: string;
};

/** Whether the address asks for the view alone, as in a frame, and in which theme. */
export type Embed = boolean | 'light' | 'dark';

export type Session = {
  readonly files: readonly OpenFile[];
  /** Panes on the screen, one or two; none if no file is active. `panes.ts` changes them. */
  readonly panes: readonly Pane[];
  /** Index of the current pane; its file is the active file. */
  readonly currentPane: number;
  /** Sentence in the status region. */
  readonly status: string;
  readonly wanted: Wanted | null;
  readonly embed: Embed;
  /** Grows when file bytes arrive in the cache, so that views draw again. */
  readonly bytesVersion: number;
  /** Slices that were set last, which other files begin with; see `ViewState`. */
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

/** Returns `select` applied to the session; draws again when the result changes. */
export function useSession<T>(select: (state: Session) => T): T {
  return useStore(session, select);
}

export function fileById(state: Session, id: FileId | null): OpenFile | null {
  return state.files.find((file) => file.id === id) ?? null;
}

/** Returns the file that has that id now, or null. */
export function fileNow(id: FileId | null): OpenFile | null {
  return fileById(session.getState(), id);
}

/** Returns the id of the file in the current pane, or null. */
export function activeId({ panes, currentPane }: Session): FileId | null {
  return panes[currentPane]?.fileId ?? null;
}

/** Returns the file in the current pane, or null. */
export function activeFile(state: Session): OpenFile | null {
  return fileById(state, activeId(state));
}

/** Returns the active file now, or null. */
export function activeFileNow(): OpenFile | null {
  return activeFile(session.getState());
}

/** Returns the model of an open file; null if it is not read, an archive, an atlas or unreadable. */
export function modelOf(file: OpenFile | null): ObjectModel | null {
  return file?.status.step === 'ready' ? file.status.model : null;
}

/** Returns the kernels of an open atlas; null for other files. */
export function atlasOf(file: OpenFile | null): AtlasSummary | null {
  return file?.status.step === 'atlas' ? file.status.atlas : null;
}

/** Returns the atlas that has a kernel and the kernel's number; null for other ids. */
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

/** Changes one file; an unknown id changes nothing. `setView` changes the view. */
export function patchFile(
  id: FileId,
  patch: Partial<Omit<OpenFile, 'id' | 'view' | 'panes'>>,
): void {
  session.setState((state) => ({
    files: state.files.map((file) => (file.id === id ? { ...file, ...patch } : file)),
  }));
}

/** Shows a sentence in the status region, which screen readers speak. */
export function announce(status: string): void {
  session.setState({ status });
}

/** Announces a sentence about the current view; it is removed when another view or file is shown. */
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
