import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { MEMBER_KEYS } from '#views/parts/member-keys.ts';
import { declarationState, typesState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly types: true;
  }
}

registerView({
  name: 'types',
  title: 'Types',
  files: WITH_TYPES,
  hasContent: ({ types }) => types !== null,
  isOfTypes: true,
  count: ({ types }) => ({ count: types?.count ?? 0 }),
  state: [declarationState, typesState],
  keys: MEMBER_KEYS,
  load: async () => (await import('./TypesView.tsx')).TypesView,
});
