import { dependsOnKernels, hasTypesOrRecords } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { logPartState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly log: true;
  }
}

registerView({
  name: 'log',
  title: 'Explain a log',
  tab: 'core',
  files: WITH_TYPES,
  isFor: hasTypesOrRecords,
  hasContent: dependsOnKernels,
  against: 'target',
  state: [logPartState],
  former: ['core?mode=log'],
  load: async () => (await import('./LogPanel.tsx')).LogView,
});
