import { ANY_OBJECT, registerView } from '#store/session/views.ts';

registerView({
  name: 'overview',
  title: 'Overview',
  files: ANY_OBJECT,
  load: async () => (await import('./OverviewView.tsx')).OverviewView,
});
