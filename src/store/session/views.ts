/** The registry of views: each `view.ts` registers a `ViewDescriptor`, and `app/views.ts` imports them in tab order. */
import type { ComponentType } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId, OpenFile } from './session.ts';
import type { AddressState } from './view-state.ts';

/** Names of the views, added by declaration merging. The overview is the fallback of all files. */
export interface ViewNames {
  readonly overview: true;
}
export type ViewName = keyof ViewNames;

/** `own`: a format of a module, as Alpha eCOFF. `typed`: declarations of the workbench. */
export type FileClass = 'elf' | 'btf' | 'typed' | 'own' | 'atlas';

/** Classes of files that have types and what belongs to types. */
export const WITH_TYPES: readonly FileClass[] = ['elf', 'btf', 'typed'];

export const ANY_OBJECT: readonly FileClass[] = [...WITH_TYPES, 'own'];

/** An entry of the palette. */
export type ViewCommand = {
  readonly id: string;
  readonly title: string;
  /** Runs after the view is shown. */
  readonly run: (id: FileId) => void;
};

/** Number beside the title of a tab. */
export type ViewCount = { readonly count: number; readonly tone?: 'danger' | 'warning' };

/** As `BackgroundOptions` of `openFile`. */
type OpenerOptions = {
  readonly activate?: boolean | (() => boolean);
  readonly isSilent?: boolean;
};

export type ViewDescriptor = {
  readonly name: ViewName;
  readonly title: string;
  /** The view whose tab it shares; absent: a tab of its own. */
  readonly tab?: ViewName;
  /** Title of its tab, if not `title`. */
  readonly tabTitle?: string;
  /** Title in the switch between the views of one tab, if not `title`. */
  readonly switchTitle?: string;
  /** More words by which the palette finds it. */
  readonly also?: string;
  /** Classes of files that have the view. */
  readonly files: readonly FileClass[];
  /** Whether a file of these classes has the view; absent: each has. */
  readonly isFor?: (model: ObjectModel) => boolean;
  /** Whether the view of a file is not empty; absent: never empty. An opened file does not begin with an empty view. */
  readonly hasContent?: (model: ObjectModel) => boolean;
  /** Whether it needs no more than a type and the types below it: a link that carries one type can show it. */
  readonly isOfTypes?: true;
  /** What an object is relocated against. Its address names them, and opening a kernel keeps it shown. */
  readonly against?: 'target' | 'kernels';
  readonly count?: (model: ObjectModel, findings: OpenFile['findings']) => ViewCount;
  /** Slices whose fields are keys of its address. */
  readonly state?: readonly AddressState[];
  /** Former addresses of the view, as `core?mode=load`. */
  readonly former?: readonly string[];
  /** Rows of the help. */
  readonly keys?: readonly { readonly keys: readonly string[]; readonly does: string }[];
  readonly commands?: (model: ObjectModel) => readonly ViewCommand[];
  /** Opens files that a key of an address carries for this view alone. */
  readonly opens?: {
    readonly isKey: (key: string) => boolean;
    /** Throws `Malformed` if the key cannot be read. */
    readonly open: (key: string, options: OpenerOptions) => Promise<FileId>;
  };
  /** Begins work while the component is fetched and drawn. */
  readonly onShow?: (file: OpenFile) => void;
  readonly load: () => Promise<ComponentType>;
};

const registered = new Map<ViewName, ViewDescriptor>();

/** Registers a view, after those whose tabs come before its own. */
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

/** Returns the view that has or had that name in an address with these parameters, or null. */
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

/** Returns the view that names the tab of `view`. */
export function tabOf(view: ViewName): ViewName {
  return viewOf(view)?.tab ?? view;
}

export function tabTitle(view: ViewName): string {
  const tab = tabOf(view);
  return viewOf(tab)?.tabTitle ?? viewTitle(tab);
}

const typedHere = new WeakSet<ObjectModel>();

/** Marks the model as that of declarations that are typed in the workbench. */
export function markTypedHere(model: ObjectModel): void {
  typedHere.add(model);
}

function classOf(model: ObjectModel): FileClass {
  if (typedHere.has(model)) return 'typed';
  if (model.own !== null) return 'own';
  return model.format === 'btf' ? 'btf' : 'elf';
}

/** Returns the views of an object, in the order of the tabs. */
export function viewsOf(model: ObjectModel): readonly ViewName[] {
  const fileClass = classOf(model);
  return namesOf(({ files, isFor }) => files.includes(fileClass) && isFor?.(model) !== false);
}

export function atlasViews(): readonly ViewName[] {
  return namesOf(({ files }) => files.includes('atlas'));
}

function namesOf(isWanted: (view: ViewDescriptor) => boolean): readonly ViewName[] {
  return allViews()
    .filter(isWanted)
    .map(({ name }) => name);
}

/** Returns the tabs of an object, each by the first of its views. */
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

/** Returns the first view of the tab of `view` that the object has. */
export function firstOfTab(model: ObjectModel, view: ViewName): ViewName {
  return viewsOfTab(model, view)[0] ?? view;
}

/** Returns `view` if the object has it, else the first view of its tab, else the overview. */
export function viewFor(model: ObjectModel, view: ViewName): ViewName {
  const views = viewsOfTab(model, view);
  return views.includes(view) ? view : (views[0] ?? 'overview');
}

/** Returns `viewFor` of any file: an atlas falls back to its first view. */
export function viewForFile({ status }: OpenFile, view: ViewName): ViewName {
  if (status.step === 'ready') return viewFor(status.model, view);
  if (status.step !== 'atlas') return view;
  const views = atlasViews();
  return views.includes(view) ? view : (views[0] ?? view);
}
