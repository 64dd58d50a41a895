import { dependsOnKernels, hasRecords } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly needs: true;
  }
}

registerView({
  name: 'needs',
  title: 'Needs',
  tab: 'core',
  files: WITH_TYPES,
  isFor: hasRecords,
  hasContent: dependsOnKernels,
  against: 'target',
  former: ['core?mode=needs'],
  load: async () => (await import('./NeedsPanel.tsx')).NeedsView,
});
