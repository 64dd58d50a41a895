import { dependsOnKernels } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { needsState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly needs: true;
  }
}

registerView({
  name: 'needs',
  title: 'Needs',
  tab: 'core',
  also: 'oldest kernel minimal BTF',
  files: WITH_TYPES,
  isFor: dependsOnKernels,
  hasContent: dependsOnKernels,
  against: 'target',
  state: [needsState],
  former: ['core?mode=needs'],
  load: async () => (await import('./NeedsView.tsx')).NeedsView,
});
