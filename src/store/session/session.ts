/**
 * The state of the page: which files are open, which one is looked at, in
 * which view, and what is selected. Actions live in modules of their own and
 * are plain functions; views read with `useSession`.
 */
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
      /** By number of the kernel: what stands for it where it is the target of an object. */
      readonly kernelIds: readonly FileId[];
    }
  | { readonly step: 'failed'; readonly issue: Issue };

/** Types that split BTF can stand on. They stay when their own file is closed. */
export type BaseFile = {
  /** The file they came from, which may be closed by now. */
  readonly fileId: FileId;
  readonly name: string;
  readonly types: TypeTable;
};

/** What became of the choice of a base for split BTF. */
export type BaseChoice = {
  /** The base that is in use. */
  readonly chosen: BaseFile | null;
  /** Why the one that was chosen last is not, and how its types compare where that is known. */
  readonly refused: {
    readonly issue: Issue;
    readonly base: BaseFile | null;
    readonly matches: readonly DistilledMatch[];
  } | null;
  /** Grows when the file is read again, on another base: answers of before are then old. */
  readonly reading: number;
};

const NO_CHOICE: BaseChoice = { chosen: null, refused: null, reading: 0 };

/** How a file came out of a link that carries it. */
export type LinkOrigin = {
  /** As it stands behind `file=`. */
  readonly key: string;
  /** The file that the link was made from. Raw text; may be empty. */
  readonly name: string;
  readonly carries:
    | { readonly kind: 'types'; readonly typeCount: number; readonly declaredCount: number }
    | { readonly kind: 'file' };
};

/** What somebody who followed a link should know about where it led. */
export type LinkNotice = {
  /** SHA-256 of the file that the link is about, where another was opened in its place. */
  readonly expected: string | null;
  /** Sentences without a full stop; raw text. */
  readonly sentences: readonly string[];
};

export type OpenFile = {
  readonly id: FileId;
  readonly name: string;
  /** Bytes of the file as it was dropped. */
  readonly size: number;
  /** Path under `samples/` when it is one of ours, else null. */
  readonly sample: string | null;
  /** SHA-256 of the file in hex, null until it is known. */
  readonly sha256: string | null;
  readonly status: FileStatus;
  /** What the closer inspection found, null until it is done. */
  readonly findings: readonly Issue[] | null;
  /** Why no more of the file can be read; absent while it can. */
  readonly fault?: Issue;
  /** Absent until somebody chooses; `baseChoice` reads it. */
  readonly base?: BaseChoice;
  /** Only of a file that is typed here: what names its declarations behind `file=`, null while nothing does. */
  readonly declarationsKey?: string | null;
  /** Only of a file that stays on the page's server: what names it behind `file=`. */
  readonly servedKey?: string;
  /** Only of a file that came out of a link. */
  readonly origin?: LinkOrigin;
  /** About the arrival by a link; null and absent: nothing. */
  readonly notice?: LinkNotice | null;
  /** The view in which the file is shown, or was shown last. */
  readonly view: ViewName;
  readonly selection: Selection;
  /** The panes to come back to when this file is made active again; null and absent: its view alone. */
  readonly panes?: readonly Pane[] | null;
  /** What views keep beside the selection, by slice; absent until one does. See `ViewState`. */
  readonly viewState?: Readonly<Record<string, object>>;
};

/** A view of an open file on the screen. */
export type Pane = { readonly fileId: FileId; readonly view: ViewName };

/** What a link asked for that is not open: shown with a way to open it. */
export type Wanted = {
  /** `sample:PATH` or a SHA-256 in hex. */
  readonly file: string;
  readonly name: string;
  readonly problem: string;
};

/** Is the page shown inside another one, by its address, and in a theme that the other page has chosen? */
export type Embed = boolean | 'light' | 'dark';

export type Session = {
  readonly files: readonly OpenFile[];
  /** The panes on the screen, one or two, in their order; none while no file is active. `panes.ts` changes them. */
  readonly panes: readonly Pane[];
  /** Index of the pane that is worked in; its file is the active one. */
  readonly currentPane: number;
  /** The sentence of the status region. */
  readonly status: string;
  readonly wanted: Wanted | null;
  /** Shown without its bars, inside another page. */
  readonly embed: Embed;
  /** Grows when bytes of a file arrive in the cache, so that views draw again. */
  readonly bytesVersion: number;
  /** The slices that were set last, for files that begin with them. See `ViewState`. */
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

/** Reads from the session in a component; draws again when what `select` gives changes. */
export function useSession<T>(select: (state: Session) => T): T {
  return useStore(session, select);
}

/** The file with that id, or null. */
export function fileById(state: Session, id: FileId | null): OpenFile | null {
  return state.files.find((file) => file.id === id) ?? null;
}

/** Returns the id of the file in the current pane, or null. */
export function activeId({ panes, currentPane }: Session): FileId | null {
  return panes[currentPane]?.fileId ?? null;
}

/** Returns the file in the current pane, or null. */
export function activeFile(state: Session): OpenFile | null {
  return fileById(state, activeId(state));
}

/** The model of an open file; null while it is read, and for archives and files that cannot be read. */
export function modelOf(file: OpenFile | null): ObjectModel | null {
  return file?.status.step === 'ready' ? file.status.model : null;
}

/** The kernels of an open atlas; null of other files. */
export function atlasOf(file: OpenFile | null): AtlasSummary | null {
  return file?.status.step === 'atlas' ? file.status.atlas : null;
}

/** The place of a kernel that is in an open atlas; null for others. */
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

/** The types of an open file; null where it has none, or not yet. */
export function typesOf(file: OpenFile | null): TypeTable | null {
  return modelOf(file)?.types ?? null;
}

/** What was chosen as the base of `file`. */
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

/** Puts a sentence into the status region; screen readers speak it. */
export function announce(status: string): void {
  session.setState({ status });
}

/** As `announce`, for what is about the view: the sentence goes when another view or file is shown. */
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
