import { registerView } from '#store/session/views.ts';
import { historyState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly history: true;
  }
}

registerView({
  name: 'history',
  title: 'History',
  files: ['atlas'],
  state: [historyState],
  load: async () => (await import('./HistoryView.tsx')).HistoryView,
});
