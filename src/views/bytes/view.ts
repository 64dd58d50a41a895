import { ANY_OBJECT, registerView } from '#store/session/views.ts';
import { layoutState } from '#views/parts/layout-state.ts';
import { BYTES_KEYS } from './keys.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly bytes: true;
  }
}

registerView({
  name: 'bytes',
  title: 'Bytes',
  files: ANY_OBJECT,
  isOfTypes: true,
  state: [layoutState],
  keys: BYTES_KEYS,
  load: async () => (await import('./BytesView.tsx')).BytesView,
});
