import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { dataState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly data: true;
  }
}

registerView({
  name: 'data',
  title: 'Data',
  files: WITH_TYPES,
  hasContent: ({ format }) => format !== 'btf',
  state: [dataState],
  load: async () => (await import('./DataTab.tsx')).DataTab,
});
