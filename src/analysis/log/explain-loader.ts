/** Errors of cilium/ebpf and aya in one plain sentence. */
import { coreKind } from '#analysis/core/core-kinds.ts';
import type { LoaderEvent } from './log-line.ts';

/** What the loader could not do, and why. Names are raw text. */
export function explainLoaderError(event: LoaderEvent): string {
  const type = typeWords(event);
  const member = event.memberName === null ? 'a field' : `the field ${event.memberName}`;
  const kind = event.kind === null ? '' : ` (${coreKind(event.kind)?.name})`;
  const insn = event.insnIndex === null ? 'An instruction' : `Instruction ${event.insnIndex}`;
  switch (event.reason) {
    case 'poisoned':
      return 'The program got to an instruction that was made invalid, since its CO-RE relocation found nothing in this kernel.';
    case 'no-member':
      return `The kernel’s ${type} does not have ${member} that the program asks for${kind}.`;
    case 'no-type':
      return event.insnIndex === null
        ? `The kernel has no ${type} that the program asks for${kind}.`
        : `${insn} needs ${type} of the object${kind}, for which the kernel has no type.`;
    case 'ambiguous':
      return `The kernel has more than one ${type}, and they give different answers: the loader does not choose.`;
    case 'incompatible':
      return `The kernel’s ${type} is of another sort than the program takes it for${kind}.`;
    case 'bad-access':
      return `The access string${event.accessStr === null ? '' : ` ${event.accessStr}`} cannot be followed through the object’s own types: the object or its BTF is damaged, or the loader too old for it.`;
    case 'bad-insn':
      return `${insn} does not hold what its relocation says: the code and its BTF do not fit together.`;
    case 'no-btf':
      return 'The loader found no BTF of the kernel, or none that it can read, so that no CO-RE relocation can be resolved.';
    case 'byte-order':
      return 'The object and the BTF that it is resolved against differ in byte order.';
    case 'no-program':
      return 'The object has relocations for a program that the loader does not know.';
    case 'other':
      return `The loader could not resolve the program’s CO-RE relocations: ${event.message}.`;
  }
}

function typeWords({ type }: LoaderEvent): string {
  if (type === null) return 'type';
  if (type.typeName === '') return `type ${type.typeId ?? ''}`.trim();
  return `${type.typeKind} ${type.typeName}`.trim();
}
