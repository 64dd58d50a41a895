import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { COMMAND_KEY } from '#ui/keys.tsx';
import { queryState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly query: true;
  }
}

registerView({
  name: 'query',
  title: 'Query',
  tab: 'types',
  also: 'SQL database search',
  files: [...WITH_TYPES, 'atlas'],
  state: [queryState],
  keys: [{ keys: [COMMAND_KEY, 'Enter'], does: 'Run the query' }],
  load: async () => (await import('./QueryView.tsx')).QueryView,
});
