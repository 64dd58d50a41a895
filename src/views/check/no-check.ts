/** Why there is no BTF to check, in words. */
import { sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

const WHAT =
  'A BPF object has it after clang -g --target=bpf, a kernel with CONFIG_DEBUG_INFO_BTF.';

/** The title and the text of the empty view. */
export function noCheck(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (hasBtfSection(model)) {
    return {
      title: 'The bytes of .BTF cannot be read',
      text: 'There is such a section, but no bytes to check. What is wrong with it is under Issues.',
    };
  }
  return {
    title: isBpf(model) ? 'This object has no BTF to check' : 'This file has no BTF to check',
    text: WHAT,
  };
}

function hasBtfSection({ sections }: ObjectModel): boolean {
  for (let i = 1; i < sections.count; i++) {
    if (sectionName(sections, sectionIndex(i)) === '.BTF') return true;
  }
  return false;
}
