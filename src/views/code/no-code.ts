/** Why there are no instructions to show, in words; null where there are some. */
import { canList } from '#analysis/code/code-listing.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { firstCode } from './code-sections.ts';

export type NoCode = { readonly title: string; readonly text: string };

export function noCode(model: ObjectModel): NoCode | null {
  if (model.format === 'btf') {
    return {
      title: 'A BTF blob has no code',
      text: 'It holds types only. The instructions are in the object that clang -target bpf writes: open that .o to see them beside its types.',
    };
  }
  if (!canList(model)) {
    const machine = model.machine?.name ?? 'this machine';
    return {
      title: `Instructions of ${machine} are not shown`,
      text: 'btfscope decodes BPF and Alpha only. The types, bytes and relocations of this file are under the other tabs.',
    };
  }
  if (firstCode(model) === null) {
    return {
      title: 'This object has no code',
      text: 'None of its sections is marked as executable. An object of data and types only is valid: it may hold maps for other objects to link with.',
    };
  }
  return null;
}
