import { isBpf } from '#model/object-model.ts';
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
  // For BPF the compiler writes BTF itself.
  isFor: (model) => model.dwarf?.section != null && !isBpf(model),
  load: async () => (await import('./EncodeView.tsx')).EncodeView,
});
