import { registerView } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly workbench: true;
  }
}

registerView({
  name: 'workbench',
  title: 'Workbench',
  files: ['typed'],
  load: async () => (await import('./WorkbenchView.tsx')).WorkbenchView,
});
