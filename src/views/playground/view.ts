import { dependsOnKernels, hasTypesOrRecords } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly playground: true;
  }
}

registerView({
  name: 'playground',
  title: 'Playground',
  tab: 'core',
  files: WITH_TYPES,
  isFor: hasTypesOrRecords,
  hasContent: dependsOnKernels,
  against: 'target',
  former: ['core?mode=playground'],
  load: async () => (await import('./PlaygroundPanel.tsx')).PlaygroundView,
});
