/** The views by name. Each is a part of its own that is fetched when it is first shown. */
import { type ComponentType, lazy } from 'react';
import type { ViewName } from '#store/session.ts';

export const VIEW_COMPONENTS: Readonly<Record<ViewName, ComponentType>> = {
  overview: lazy(async () => ({
    default: (await import('#views/overview/OverviewView.tsx')).OverviewView,
  })),
  types: lazy(async () => ({ default: (await import('#views/types/TypesView.tsx')).TypesView })),
  graph: lazy(async () => ({ default: (await import('#views/graph/GraphView.tsx')).GraphView })),
  bytes: lazy(async () => ({ default: (await import('#views/bytes/BytesView.tsx')).BytesView })),
  code: lazy(async () => ({ default: (await import('#views/code/CodeView.tsx')).CodeView })),
  relocations: lazy(async () => ({
    default: (await import('#views/relocations/RelocationsView.tsx')).RelocationsView,
  })),
  core: lazy(async () => ({ default: (await import('#views/core/CoreView.tsx')).CoreView })),
  issues: lazy(async () => ({
    default: (await import('#views/issues/IssuesView.tsx')).IssuesView,
  })),
};
