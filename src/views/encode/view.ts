import { registerView } from '#store/session/views.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly encode: true;
  }
}

registerView({
  name: 'encode',
  title: 'BTF from DWARF',
  tab: 'check',
  also: 'pahole left out dropped function',
  files: ['elf'],
  isFor: ({ dwarf }) => dwarf !== null,
  load: async () => (await import('./EncodeView.tsx')).EncodeView,
});
