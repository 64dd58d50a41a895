import { btfOf, isBpf } from '#model/object-model.ts';
import { candidatesState, dependsOnKernels, hasRecords } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly core: true;
  }
}

registerView({
  name: 'core',
  title: 'CO-RE',
  switchTitle: 'Records',
  files: WITH_TYPES,
  isFor: (model) => hasRecords(model) || btfOf(model) === null || isBpf(model),
  hasContent: dependsOnKernels,
  against: 'target',
  count: ({ ext }) => ({ count: ext.core.count }),
  state: [candidatesState],
  load: async () => (await import('./CoreView.tsx')).CoreView,
});
