/** The registry of views, in the order of their tabs. Each `view.ts` registers its descriptor. */
import type { ComponentType } from 'react';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId, OpenFile } from './session.ts';
import type { AddressState } from './view-state.ts';

/** Names of the views; each view adds its own by declaration merging. All files have `overview`. */
export interface ViewNames {
  readonly overview: true;
}
export type ViewName = keyof ViewNames;

/** `own`: a module's format, such as Alpha eCOFF. `typed`: declarations in the workbench. */
export type FileClass = 'elf' | 'btf' | 'typed' | 'own' | 'atlas' | 'log';

/** Classes of files that have BTF types. */
export const WITH_TYPES: readonly FileClass[] = ['elf', 'btf', 'typed'];

export const ANY_OBJECT: readonly FileClass[] = [...WITH_TYPES, 'own'];

/** A palette command of a view. */
export type ViewCommand = {
  readonly id: string;
  readonly title: string;
  /** Runs the command; the view is already shown. */
  readonly run: (id: FileId) => void;
};

/** Number that a tab shows beside its title. */
export type ViewCount = { readonly count: number; readonly tone?: 'danger' | 'warning' };

/** Number of programs that open kernels refuse, and of those for which that is undecided. */
export type UnloadedCounts = { readonly refused: number; readonly depends: number };

/** Options for opening a file; the same as `BackgroundOptions` of `openFile`. */
type OpenerOptions = {
  readonly activate?: boolean | (() => boolean);
  readonly isSilent?: boolean;
};

export type ViewDescriptor = {
  readonly name: ViewName;
  readonly title: string;
  /** View whose tab contains this view; absent if the view has its own tab. */
  readonly tab?: ViewName;
  /** Title of the tab if it differs from `title`. */
  readonly tabTitle?: string;
  /** Title in the switch between the views of a tab if it differs from `title`. */
  readonly switchTitle?: string;
  /** Additional words that find the view in the palette. */
  readonly also?: string;
  /** Classes of files that can have the view. */
  readonly files: readonly FileClass[];
  /** Returns true if a file of these classes has the view; absent if all have. */
  readonly isFor?: (model: ObjectModel) => boolean;
  /** Returns false if the view is empty; a new file does not open in an empty view. */
  readonly hasContent?: (model: ObjectModel) => boolean;
  /** Returns false if a log does not have the view; absent if all logs have it. */
  readonly isForLog?: (log: LogOverview) => boolean;
  /** Returns false if a log does not open in the view: the view has nothing of it. */
  readonly opensLog?: (log: LogOverview) => boolean;
  /** Set if a link that carries one type can show the view: it needs only the type's members. */
  readonly isOfTypes?: true;
  /** Set if the view shows an object on a target or on kernels; its address then names them. */
  readonly against?: 'target' | 'kernels';
  readonly count?: (
    model: ObjectModel,
    findings: OpenFile['findings'],
    unloaded: UnloadedCounts,
  ) => ViewCount;
  /** Slices of state whose fields are parameters of the view's address. */
  readonly state?: readonly AddressState[];
  /** Older addresses that open this view, such as `core?mode=load`. */
  readonly former?: readonly string[];
  /** Keyboard shortcuts of the view, for the help. */
  readonly keys?: readonly { readonly keys: readonly string[]; readonly does: string }[];
  readonly commands?: (model: ObjectModel) => readonly ViewCommand[];
  /** Opens files whose key only this view understands. */
  readonly opens?: {
    readonly isKey: (key: string) => boolean;
    /** Opens the file of a key. Throws `Malformed` for an invalid key. */
    readonly open: (key: string, options: OpenerOptions) => Promise<FileId>;
  };
  /** Called when the view is about to be shown, to start requests while its code loads. */
  readonly onShow?: (file: OpenFile) => void;
  readonly load: () => Promise<ComponentType>;
};

const registered = new Map<ViewName, ViewDescriptor>();

/** Registers a view. The order of the calls is the order of the tabs. */
export function registerView(view: ViewDescriptor): void {
  registered.set(view.name, view);
}

export function allViews(): readonly ViewDescriptor[] {
  return [...registered.values()];
}

export function viewNames(): readonly ViewName[] {
  return [...registered.keys()];
}

/** Returns the descriptor of a view; null if the page is built without it. */
export function viewOf(view: ViewName): ViewDescriptor | null {
  return registered.get(view) ?? null;
}

/** Returns the view that an address names by its current or an older name, or null. */
export function viewNamed(
  name: string | undefined,
  params: ReadonlyMap<string, string> = new Map(),
): ViewName | null {
  const isFormer = (address: string) => {
    const [path, key = '', value] = address.split(/[?=]/);
    return path === name && params.get(key) === value;
  };
  const views = allViews();
  const former = views.find((view) => view.former?.some(isFormer));
  return (former ?? views.find((view) => view.name === name))?.name ?? null;
}

export function viewTitle(view: ViewName): string {
  return viewOf(view)?.title ?? view;
}

/** Returns the view whose name the tab of `view` has. */
export function tabOf(view: ViewName): ViewName {
  return viewOf(view)?.tab ?? view;
}

export function tabTitle(view: ViewName): string {
  const tab = tabOf(view);
  return viewOf(tab)?.tabTitle ?? viewTitle(tab);
}

const typedHere = new WeakSet<ObjectModel>();

/** Marks a model as that of declarations in the workbench. */
export function markTypedHere(model: ObjectModel): void {
  typedHere.add(model);
}

function classOf(model: ObjectModel): FileClass {
  if (typedHere.has(model)) return 'typed';
  if (model.own !== null) return 'own';
  return model.format === 'btf' ? 'btf' : 'elf';
}

/** Returns the views that an object has, in the order of the tabs. */
export function viewsOf(model: ObjectModel): readonly ViewName[] {
  const fileClass = classOf(model);
  return namesOf(({ files, isFor }) => files.includes(fileClass) && isFor?.(model) !== false);
}

/** Returns the views of a class of files without a model; of one log, if it is given. */
export function viewsOfClass(fileClass: 'atlas' | 'log', log?: LogOverview): readonly ViewName[] {
  return namesOf(
    ({ files, isForLog }) =>
      files.includes(fileClass) && (log === undefined || isForLog?.(log) !== false),
  );
}

function namesOf(isWanted: (view: ViewDescriptor) => boolean): readonly ViewName[] {
  return allViews()
    .filter(isWanted)
    .map(({ name }) => name);
}

/** Returns the tabs of an object; each tab is represented by its first view. */
export function tabsOf(model: ObjectModel): readonly ViewName[] {
  const tabs = new Map<ViewName, ViewName>();
  for (const view of viewsOf(model)) {
    if (!tabs.has(tabOf(view))) tabs.set(tabOf(view), view);
  }
  return [...tabs.values()];
}

/** Returns the views of the object that share the tab of `view`. */
export function viewsOfTab(model: ObjectModel, view: ViewName): readonly ViewName[] {
  return viewsOf(model).filter((other) => tabOf(other) === tabOf(view));
}

/** Returns the first view that the object has in the tab of `view`. */
export function firstOfTab(model: ObjectModel, view: ViewName): ViewName {
  return viewsOfTab(model, view)[0] ?? view;
}

/** Returns `view` if the object has it; otherwise the tab's first view, or the overview. */
export function viewFor(model: ObjectModel, view: ViewName): ViewName {
  const views = viewsOfTab(model, view);
  return views.includes(view) ? view : (views[0] ?? 'overview');
}

/** Returns the view that a file shows for `view`; an atlas or log falls back to its first view. */
export function viewForFile({ status }: OpenFile, view: ViewName): ViewName {
  if (status.step === 'ready') return viewFor(status.model, view);
  if (status.step !== 'atlas' && status.step !== 'log') return view;
  const views = viewsOfClass(status.step, status.step === 'log' ? status.log : undefined);
  return views.includes(view) ? view : (views[0] ?? view);
}
