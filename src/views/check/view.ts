import { btfOf } from '#model/object-model.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly check: true;
  }
}

registerView({
  name: 'check',
  title: 'Check',
  tabTitle: 'Problems',
  files: WITH_TYPES,
  hasContent: (model) => btfOf(model) !== null,
  count: (_model, _findings, { refused, depends }) => ({
    count: refused + depends,
    tone: refused > 0 ? 'danger' : 'warning',
  }),
  load: async () => (await import('./CheckView.tsx')).CheckView,
});
