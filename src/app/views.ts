/** The views by name. Each is a part of its own that is fetched when it is first shown, or before that when the page is idle. */
import { type ComponentType, Fragment, lazy } from 'react';
import { whenIdle } from '#store/page/when-idle.ts';
import { type ViewName, viewNames } from '#store/session/views.ts';
import { prepareWorker } from '#worker/spare-worker.ts';

const LOADERS: Readonly<Record<ViewName, () => Promise<ComponentType>>> = {
  workbench: async () => (await import('#views/workbench/WorkbenchView.tsx')).WorkbenchView,
  overview: async () => (await import('#views/overview/OverviewView.tsx')).OverviewView,
  types: async () => (await import('#views/types/TypesView.tsx')).TypesView,
  graph: async () => (await import('#views/graph/GraphView.tsx')).GraphView,
  text: async () => (await import('#views/text/TextView.tsx')).TextView,
  query: async () => (await import('#views/query/QueryView.tsx')).QueryView,
  bytes: async () => (await import('#views/bytes/BytesView.tsx')).BytesView,
  code: async () => (await import('#views/code/CodeView.tsx')).CodeView,
  data: async () => (await import('#views/data/DataTab.tsx')).DataTab,
  relocations: async () => (await import('#views/relocations/RelocationsView.tsx')).RelocationsView,
  core: async () => (await import('#views/core/CoreView.tsx')).CoreView,
  compare: async () => (await import('#views/compare/CompareView.tsx')).CompareView,
  check: async () => (await import('#views/check/CheckView.tsx')).CheckView,
  history: async () => (await import('#views/history/HistoryView.tsx')).HistoryView,
  issues: async () => (await import('#views/issues/IssuesView.tsx')).IssuesView,
};

const loaded = new Map<ViewName, ComponentType>();

async function load(view: ViewName): Promise<ComponentType> {
  const component = await LOADERS[view]();
  loaded.set(view, component);
  return component;
}

const LAZY = new Map(
  viewNames().map((view) => [view, lazy(async () => ({ default: await load(view) }))] as const),
);

/** The view itself where it is here already, else what stands for it until it is. */
export function viewComponent(view: ViewName): ComponentType {
  return loaded.get(view) ?? LAZY.get(view) ?? Fragment;
}

/** Chromium alone says whether the person asks to save data. */
type MaySaveData = { readonly connection?: { readonly saveData?: boolean } };

/**
 * Fetches all views, so that going to one does not wait for it: React keeps what it shows in place
 * of a part that is on its way for some 300 ms. One at a time and when the page is idle: all at once
 * they hold it for a tenth of a second. Then it starts the worker of the next file. Where data is to
 * be saved, each view is fetched when it is shown.
 */
export function preloadViews(): void {
  const { connection }: Navigator & MaySaveData = navigator;
  const left =
    connection?.saveData === true ? [] : viewNames().filter((view) => view !== 'history');
  const next = () => {
    const view = left.shift();
    if (view === undefined) {
      prepareWorker();
      return;
    }
    // A view that cannot be fetched now is asked for again, and then told of, when it is shown.
    load(view)
      .catch(() => undefined)
      .finally(() => whenIdle(next));
  };
  next();
}
