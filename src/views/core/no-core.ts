/** Why there are no CO-RE relocations to show, in words. */
import { isBpf, type ObjectModel } from '#model/object-model.ts';

const WHAT =
  'They tell libbpf which field, type or enumerator of the running kernel an instruction depends on. clang -g --target=bpf writes them into .BTF.ext for every access to a type with preserve_access_index, as all types of vmlinux.h have, and for BPF_CORE_READ and its relatives. They are no ELF relocations: llvm-readelf -r does not show them.';

/** The title and the text of the empty view. */
export function noCore(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (model.format === 'btf') {
    return {
      title: 'A BTF blob has no CO-RE relocations',
      text: `It holds types only; the relocations are in the .BTF.ext section of an object file. ${WHAT}`,
    };
  }
  return {
    title: isBpf(model)
      ? 'This object has no CO-RE relocations'
      : 'This file has no CO-RE relocations',
    text: WHAT,
  };
}
