/** Components of the views, fetched when first shown or before while the page is idle. */
import { type ComponentType, Fragment, lazy } from 'react';
import { getOrCreate } from '#bytes/cache.ts';
import { whenIdle } from '#store/page/when-idle.ts';
import { allViews, type ViewDescriptor, type ViewName, viewOf } from '#store/session/views.ts';
import { prepareWorker } from '#worker/spare-worker.ts';

const loaded = new Map<ViewName, ComponentType>();

async function load(view: ViewDescriptor): Promise<ComponentType> {
  const component = await view.load();
  loaded.set(view.name, component);
  return component;
}

const lazyViews = new Map<ViewDescriptor, ComponentType>();

/** Returns the component of a view; until it is fetched, a lazy one. */
export function viewComponent(name: ViewName): ComponentType {
  const view = viewOf(name);
  if (view === null) return Fragment;
  return (
    loaded.get(name) ??
    getOrCreate(lazyViews, view, () => lazy(async () => ({ default: await load(view) })))
  );
}

/** Only Chromium has `navigator.connection.saveData`. */
type MaySaveData = { readonly connection?: { readonly saveData?: boolean } };

/**
 * Fetches all views one at a time while the page is idle, then starts the worker of the next file.
 * Without it, the first visit of a view shows a fallback for at least 300 ms (React). Fetching all
 * at once would block the page for 0.1 s. Skipped if the person saves data.
 */
export function preloadViews(): void {
  const { connection }: Navigator & MaySaveData = navigator;
  const isOfObjects = ({ files }: ViewDescriptor) => files.some((file) => file !== 'atlas');
  const left = connection?.saveData === true ? [] : allViews().filter(isOfObjects);
  const next = () => {
    const view = left.shift();
    if (view === undefined) {
      prepareWorker();
      return;
    }
    // Opening the view fetches it again and shows the failure.
    load(view)
      .catch(() => undefined)
      .finally(() => whenIdle(next));
  };
  next();
}
