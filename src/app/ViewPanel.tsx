/** Components of the views. A view is fetched when it is first shown, or while the page is idle. */
import {
  type ComponentType,
  Fragment,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { getOrCreate } from '#bytes/cache.ts';
import { whenIdle } from '#store/page/when-idle.ts';
import {
  ANY_OBJECT,
  allViews,
  type ViewDescriptor,
  type ViewName,
  viewOf,
  viewTitle,
} from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { ViewWidth } from '#ui/element-size.tsx';
import { prepareWorker } from '#worker/spare-worker.ts';
import styles from './ViewPanel.module.css';

const loaded = new Map<ViewName, ComponentType>();

async function load(view: ViewDescriptor): Promise<ComponentType> {
  const component = await view.load();
  loaded.set(view.name, component);
  return component;
}

const lazyViews = new Map<ViewDescriptor, ComponentType>();

/** Returns the component of a view; a lazy component until the view is fetched. */
function viewComponent(name: ViewName): ComponentType {
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
 * Fetches all views one at a time while the page is idle, then starts a spare worker. An unfetched
 * view would show a fallback for 300 ms (React). Fetches nothing if the browser saves data.
 */
export function preloadViews(): void {
  const { connection }: Navigator & MaySaveData = navigator;
  const isOfObjects = ({ files }: ViewDescriptor) =>
    files.some((file) => ANY_OBJECT.includes(file));
  const left = connection?.saveData === true ? [] : allViews().filter(isOfObjects);
  const next = () => {
    const view = left.shift();
    if (view === undefined) {
      prepareWorker();
      return;
    }
    // A failure needs no message here: opening the view fetches it again.
    load(view)
      .catch(() => undefined)
      .finally(() => whenIdle(next));
  };
  next();
}

/** Draws a view, a fallback while the view loads, or an error if the view fails. */
export const ViewPanel = memo(({ view }: { readonly view: ViewName }): ReactNode => {
  // The component is chosen once: a later change of component would reset the view.
  const [View] = useState(() => viewComponent(view));
  return (
    <ViewWidth className={styles.panel}>
      <ErrorBoundary FallbackComponent={ViewFailed}>
        <Suspense
          fallback={
            <p className={styles.waiting} data-loading>
              Loading {viewTitle(view)}…
            </p>
          }
        >
          <View />
        </Suspense>
      </ErrorBoundary>
    </ViewWidth>
  );
});

/** Draws the error message of a view that could not be fetched or drawn. */
export function ViewFailed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className={styles.failed}>
      <Callout
        severity="error"
        title="btfscope has a bug: this view could not be drawn"
        actions={<Button onClick={resetErrorBoundary}>Try again</Button>}
        isAlert
      >
        {error instanceof Error ? error.message : String(error)}. The other views still work. Please
        report it.
      </Callout>
    </div>
  );
}
