/**
 * A line of a log in one plain sentence: what happened, and what it means for the
 * program. Names in it are raw text out of the paste: escape them when drawn.
 */
import { coreKind } from '#analysis/core/core-kinds.ts';
import { explainBtfError } from './btf-lines.ts';
import type {
  CoreEvent,
  LoaderEvent,
  LogLine,
  LogSpec,
  LogType,
  VerifierEvent,
} from './log-line.ts';

/** The sentence; empty for a line that is not known. */
export function explainLine({ event }: LogLine): string {
  if (event === null) return '';
  switch (event.event) {
    case 'loader-error':
      return explainLoaderError(event);
    case 'btf-header':
      return `The kernel reads the BTF header: ${event.field} is ${event.value}.`;
    case 'btf-type':
      return `The kernel has read type ${event.typeId}.`;
    case 'btf-item':
      return 'An item of the type in the line above.';
    case 'btf-error':
      return explainBtfError(event);
    case 'invalid-func':
    case 'poisoned-call':
    case 'invalid-core':
    case 'insn':
    case 'source':
    case 'processed':
    case 'register-type':
    case 'register-access':
    case 'log-mark':
      return explainVerifier(event);
    default:
      return explainCore(event);
  }
}

function explainCore(event: CoreEvent): string {
  switch (event.event) {
    case 'spec':
      return `libbpf resolves this relocation: ${asks(event.spec)}.`;
    case 'candidate':
      return event.matches
        ? `Type ${event.spec.typeId} of the kernel matches: ${place(event.spec)}.`
        : `Type ${event.spec.typeId} of the kernel has the right name but does not match: the search reached ${place(event.spec)}.`;
    case 'found-candidate':
      return `For ${named(event.local)} the kernel's ${named(event.target)} in ${event.module} may be the type meant.`;
    case 'no-match':
      return 'No type of the kernel matches. An existence check gives 0; a load or a value is made invalid.';
    case 'patched':
      return event.from === event.to
        ? `Instruction ${event.insnIndex} stays as it is: the kernel has the same ${fieldWords(event.field)}, ${event.to}.`
        : `Instruction ${event.insnIndex} is changed: its ${fieldWords(event.field)} was ${event.from} and is ${event.to} for this kernel.`;
    case 'poisoned':
      return `Instruction ${event.insnIndex} becomes a call that the verifier rejects. That is harmless unless the program reaches it.`;
    case 'unexpected-insn':
      return `Instruction ${event.insnIndex} holds ${event.got}, but by the object's own types it should hold ${event.expected}: relocation and code do not match, and the object is rejected.`;
    case 'offset-ambiguity':
      return `Two types of the kernel match, with the field at bit ${event.one} in one and at bit ${event.other} in the other. libbpf does not choose one, and the object is rejected.`;
    case 'value-ambiguity':
      return `Two types of the kernel match and give different answers, ${decision(event.one)} and ${decision(event.other)}. libbpf does not choose one, and the object is rejected.`;
    case 'parse-failed':
      return `The access string '${event.accessStr}' cannot be followed through the object's own ${named(event.type)}${event.accessStr.startsWith('4294967295') ? ': it begins with -1, an element before the pointer' : ''}.`;
    case 'bitfield-unsatisfied':
      return `The bit-field that instruction ${event.sectionInsnIndex} of the section accesses does not fit any aligned load of up to 8 bytes.`;
    case 'array-access-unsatisfied':
      return `Instruction ${event.sectionInsnIndex} of the section needs the sign or a shift of an array element, which has none: the object is rejected.`;
    case 'wrong-access':
      return `Instruction ${event.insnIndex} loads or stores a field whose size differs in the kernel, and whose type does not allow a wider or narrower access: only pointers and unsigned integers do. The instruction is made invalid.`;
    case 'unexpected-mem-size':
      return `Instruction ${event.insnIndex} accesses ${event.got} bytes, but the field has ${event.expected} in the object's own types.`;
    case 'value-too-big':
      return `The field lies at byte ${event.value} in the kernel, too far for the 16-bit offset of instruction ${event.insnIndex}.`;
    case 'unrecognized-insn':
      return `Instruction ${event.insnIndex}, opcode 0x${event.opcode.toString(16)}, has a class that no relocation can change.`;
    case 'unexpected-kind':
      return `type_matches met a ${event.typeKind}, which it cannot compare: types ${event.local} and ${event.target} count as different.`;
    case 'search-failed':
      return `libbpf could not search the kernel's types for ${named(event.type)}.`;
    case 'relocation-failed':
      return `The relocation failed with error ${event.errno}; the lines before say why.`;
    case 'load-failed':
      return event.what === 'log'
        ? 'The verifier’s log of the program begins or ends here.'
        : `The ${event.what} was not loaded${event.errno === null ? '' : `: error ${event.errno}`}; the lines before say why.`;
    case 'no-kernel-btf':
      return 'The kernel’s own BTF was not found or could not be read, so that no CO-RE relocation can be resolved.';
    case 'unresolved':
      return `The program got to code that this kernel has no meaning for: ${asks(event.spec)}, and the kernel has no such thing.`;
  }
}

function explainVerifier(event: VerifierEvent): string {
  switch (event.event) {
    case 'invalid-func':
      return event.poison
        ? 'The program got to an instruction that was made invalid: 195896080 is 0x0bad2310, “bad relo”, the mark of a CO-RE relocation that found nothing in this kernel. The instruction before tells which.'
        : `The program calls helper ${event.func}, which this kernel does not have.`;
    case 'poisoned-call':
      return `Instruction ${event.insnIndex} was made invalid because its CO-RE relocation found nothing in this kernel (195896080 is 0x0bad2310, “bad relo”).`;
    case 'invalid-core':
      return `Instruction ${event.insnIndex} was made invalid because its CO-RE relocation found nothing in this kernel; the next line tells which.`;
    case 'insn':
      return `Instruction ${event.insnIndex}: ${event.text}`;
    case 'source':
      return event.line === null
        ? 'A line of the program’s source.'
        : `Line ${event.line} of ${event.file}.`;
    case 'processed':
      return `The verifier looked at ${event.insns} instructions.`;
    case 'register-type':
      return `Register ${event.register} holds ${event.type}, where the call wants ${event.expected}.`;
    case 'register-access':
      return event.message.startsWith('!read_ok')
        ? `Register ${event.register} is read before anything was written to it.`
        : `The verifier refuses what is done with register ${event.register}: ${event.message}.`;
    case 'log-mark':
      return `The verifier’s log ${event.begins ? 'begins' : 'ends'} here.`;
  }
}

/** `where the field a.b of struct foo begins`. */
function asks(spec: LogSpec): string {
  const what = `${spec.typeKind} ${spec.typeName || '(anonymous)'}`;
  const path = pathText(spec);
  if (spec.kindName === '') return path === '' ? what : `${path} in ${what}`;
  switch (coreKind(spec.kind ?? -1)?.group) {
    case 'field':
      return `${spec.kindName} of ${path === '' ? what : `${path} in ${what}`}`;
    case 'enum':
      return `${spec.kindName} of ${spec.enumerator?.name ?? '(unknown)'} in ${what}`;
    default:
      return `${spec.kindName} of ${what}`;
  }
}

function place(spec: LogSpec): string {
  if (spec.enumerator !== null) return `${spec.enumerator.name} = ${spec.enumerator.value}`;
  const path = pathText(spec);
  const what = `${spec.typeKind} ${spec.typeName || '(anonymous)'}${path === '' ? '' : `, field ${path}`}`;
  if (spec.bitOffset === null || path === '') return what;
  const bit = spec.bitOffset % 8;
  return `${what}, at byte ${(spec.bitOffset - bit) / 8}${bit === 0 ? '' : `, bit ${bit}`}`;
}

/** `a.b[2]` */
function pathText({ path }: Pick<LogSpec, 'path'>): string {
  const text = path.map((step) => (step.name === null ? `[${step.index}]` : `.${step.name}`));
  return text.join('').replace(/^\./, '');
}

function named(type: LogType): string {
  return `${type.typeKind} ${type.typeName || '(anonymous)'}`.trim();
}

function fieldWords(field: 'imm' | 'imm64' | 'off' | 'mem_sz'): string {
  switch (field) {
    case 'off':
      return 'offset';
    case 'mem_sz':
      return 'size of access in bytes';
    default:
      return 'number';
  }
}

function decision({ poison, value }: { readonly poison: boolean; readonly value: bigint }): string {
  return poison ? 'nothing' : `${value}`;
}

/** Errors of cilium/ebpf and aya in one plain sentence. */

/** What the loader could not do, and why. Names are raw text. */
function explainLoaderError(event: LoaderEvent): string {
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
      return `${insn} does not contain the value its relocation implies: code and BTF do not match.`;
    case 'no-btf':
      return 'The loader found no BTF of the kernel, or none that it can read, so that no CO-RE relocation can be resolved.';
    case 'byte-order':
      return 'The object and the BTF that it is resolved against differ in byte order.';
    case 'no-program':
      return 'The object has relocations for a program unknown to the loader.';
    case 'other':
      return `The loader could not resolve the program’s CO-RE relocations: ${event.message}.`;
  }
}

function typeWords({ type }: LoaderEvent): string {
  if (type === null) return 'type';
  if (type.typeName === '') return `type ${type.typeId ?? ''}`.trim();
  return `${type.typeKind} ${type.typeName}`.trim();
}
