import { comparedWith } from '#store/address/compared-with.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { COMPARE_KEYS } from './keys.ts';
import { compareState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly compare: true;
  }
}

registerView({
  name: 'compare',
  title: 'Compare',
  files: [...WITH_TYPES, 'log'],
  hasContent: ({ types }) => types !== null,
  isForLog: ({ isVeristat }) => !isVeristat,
  opensLog: () => false,
  state: [comparedWith, compareState, logPlaceState],
  keys: COMPARE_KEYS,
  load: async () => (await import('./CompareView.tsx')).CompareView,
});
