import { candidatesState, dependsOnKernels, loadCellState } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly load: true;
  }
}

registerView({
  name: 'load',
  title: 'Load',
  files: WITH_TYPES,
  isFor: dependsOnKernels,
  hasContent: dependsOnKernels,
  against: 'kernels',
  state: [candidatesState, loadCellState],
  former: ['core?mode=load', 'core?mode=matrix'],
  load: async () => (await import('./LoadPanel.tsx')).LoadView,
});
