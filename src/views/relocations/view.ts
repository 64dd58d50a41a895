import { registerView } from '#store/session/views.ts';
import { layoutState } from '#views/parts/layout-state.ts';
import { GROUP_KEYS } from './keys.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly relocations: true;
  }
}

registerView({
  name: 'relocations',
  title: 'Relocations',
  files: ['elf', 'own'],
  hasContent: ({ relocations }) => relocations.count > 0,
  count: ({ relocations }) => ({ count: relocations.count }),
  state: [layoutState],
  keys: GROUP_KEYS,
  load: async () => (await import('./RelocationsView.tsx')).RelocationsView,
});
