import { registerView } from '#store/session/views.ts';
import { CODE_KEYS } from './keys.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly code: true;
  }
}

registerView({
  name: 'code',
  title: 'Code',
  files: ['elf', 'own'],
  keys: CODE_KEYS,
  load: async () => (await import('./CodeView.tsx')).CodeView,
});
