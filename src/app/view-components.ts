/** The components of the views. Each is fetched when it is first shown, or before that while the page is idle. */
import { type ComponentType, Fragment, lazy } from 'react';
import { keptIn } from '#bytes/keep.ts';
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

/** Returns the component of a view, or until it is fetched one that waits for it. */
export function viewComponent(name: ViewName): ComponentType {
  const view = viewOf(name);
  if (view === null) return Fragment;
  return (
    loaded.get(name) ??
    keptIn(lazyViews, view, () => lazy(async () => ({ default: await load(view) })))
  );
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
  const isOfObjects = ({ files }: ViewDescriptor) => files.some((file) => file !== 'atlas');
  const left = connection?.saveData === true ? [] : allViews().filter(isOfObjects);
  const next = () => {
    const view = left.shift();
    if (view === undefined) {
      prepareWorker();
      return;
    }
    // A view that cannot be fetched now is fetched again, and the failure shown, when it is opened.
    load(view)
      .catch(() => undefined)
      .finally(() => whenIdle(next));
  };
  next();
}
