import { typesOf } from '#store/session/session.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { TEXT_KEYS } from './keys.ts';
import { textOptions, textState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly text: true;
  }
}

registerView({
  name: 'text',
  title: 'Text',
  tab: 'types',
  files: WITH_TYPES,
  hasContent: ({ types }) => types !== null,
  isOfTypes: true,
  state: [textState],
  keys: TEXT_KEYS,
  onShow: (file) => {
    if ((typesOf(file)?.count ?? 0) === 0) return;
    const choice = textState.of(file);
    void import('./whole-text.ts').then(({ wantText }) =>
      wantText(file.id, choice.format, textOptions(choice)),
    );
  },
  load: async () => (await import('./TextView.tsx')).TextView,
});
