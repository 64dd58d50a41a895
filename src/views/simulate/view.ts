import { hasRecords } from '#store/kernels/core-view.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly simulate: true;
  }
}

registerView({
  name: 'simulate',
  title: 'Simulate libbpf log',
  tab: 'core',
  files: WITH_TYPES,
  isFor: hasRecords,
  against: 'target',
  former: ['log?part=write'],
  load: async () => (await import('./LogWriter.tsx')).SimulateView,
});
