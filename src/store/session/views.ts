/** The views: names, titles, tabs, and the files that have them. */
import type { ObjectModel } from '#model/object-model.ts';

/** Titles of the views, in the order of the tabs. */
const TITLES = {
  workbench: 'Workbench',
  overview: 'Overview',
  types: 'Types',
  text: 'Text',
  query: 'Query',
  graph: 'Graph',
  bytes: 'Bytes',
  code: 'Code',
  data: 'Data',
  relocations: 'Relocations',
  core: 'CO-RE',
  compare: 'Compare',
  check: 'Check',
  issues: 'Issues',
  history: 'History',
} as const;
export type ViewName = keyof typeof TITLES;
const NAMES = Object.keys(TITLES) as readonly ViewName[];

/** Returns the names of all views, in the order of the tabs. */
export function viewNames(): readonly ViewName[] {
  return NAMES;
}

/** Returns the view of that name, as an address has it; null if there is none. */
export function viewNamed(name: string | undefined): ViewName | null {
  return NAMES.find((view) => view === name) ?? null;
}

/** Returns the title of a view. */
export function viewTitle(view: ViewName): string {
  return TITLES[view];
}

/** Views without a tab of their own, and the view whose tab they share. */
const TAB_OF: Readonly<Partial<Record<ViewName, ViewName>>> = {
  text: 'types',
  query: 'types',
  issues: 'check',
};

/** The view that names the tab in which `view` is shown. */
export function tabOf(view: ViewName): ViewName {
  return TAB_OF[view] ?? view;
}

/** What the tab of a view is called. */
export function tabTitle(view: ViewName): string {
  const tab = tabOf(view);
  return tab === 'check' ? 'Problems' : TITLES[tab];
}

/** The views that a format cannot have are absent: code and relocations stand in objects, types in BTF. */
const OPENED = NAMES.filter((view) => view !== 'workbench' && view !== 'history');
const RAW_BTF = OPENED.filter((view) => view !== 'code' && view !== 'relocations');
const WITHOUT_BTF: readonly ViewName[] = ['overview', 'bytes', 'code', 'relocations', 'issues'];

const typedHere = new WeakSet<ObjectModel>();

/** Keeps in mind that the model is of declarations that are typed in the workbench. */
export function markTypedHere(model: ObjectModel): void {
  typedHere.add(model);
}

/** The views of a file of this format, in the order of the tabs. */
export function viewsOf(model: ObjectModel): readonly ViewName[] {
  if (typedHere.has(model)) return ['workbench', ...RAW_BTF];
  if (model.own !== null) return WITHOUT_BTF;
  return model.format === 'btf' ? RAW_BTF : OPENED;
}

/** The tabs of a file of this format, each by the first of its views. */
export function tabsOf(model: ObjectModel): readonly ViewName[] {
  return viewsOf(model).filter((view) => firstOfTab(model, view) === view);
}

/** The first view of the tab of `view` that the file can have. */
export function firstOfTab(model: ObjectModel, view: ViewName): ViewName {
  return viewsOf(model).find((first) => tabOf(first) === tabOf(view)) ?? view;
}

/** `view`, or the overview where the file cannot have it. Keys, links and the palette go through here. */
export function viewFor(model: ObjectModel, view: ViewName): ViewName {
  return viewsOf(model).includes(view) ? view : 'overview';
}
