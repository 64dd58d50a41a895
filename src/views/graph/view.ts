import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { GRAPH_KEYS } from './keys.ts';
import { graphState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly graph: true;
  }
}

registerView({
  name: 'graph',
  title: 'Graph',
  files: WITH_TYPES,
  hasContent: ({ types }) => types !== null,
  isOfTypes: true,
  state: [graphState],
  keys: GRAPH_KEYS,
  commands: ({ types }) =>
    types === null
      ? []
      : [
          {
            id: 'paths',
            title: 'Paths between types',
            run: (id) => graphState.set({ path: '' }, id),
          },
        ],
  load: async () => (await import('./GraphView.tsx')).GraphView,
});
