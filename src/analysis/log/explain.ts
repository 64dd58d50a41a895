/**
 * Explains a log line in one sentence: what happened, and what it means for the program. Names are
 * raw text of the paste: escape them when drawn.
 */
import { coreKind } from '#analysis/core/core-kinds.ts';
import { errnoIn, errnoText } from '#analysis/kernel/errno.ts';
import { PROG_LOAD } from '#analysis/log/loaders/row.ts';
import { type Cases, caseOf } from '#bytes/one-of.ts';
import { bitPlace, counted } from '#bytes/text.ts';
import { explainBtfError } from './btf-lines.ts';
import type { CoreEvent, LoaderEvent, LogLine, LogSpec, LogType, RowEvent } from './log-line.ts';
import { readVerifierLine } from './verifier-lines.ts';

const UNKNOWN_FAILURE =
  'The loader reports a failure in its own words; more is not known of this line.';

/** A line with the sentence that explains it; empty for an unknown line. */
export type ExplainedLine = LogLine & { readonly sentence: string };

/** Returns the sentence that explains a line; empty for an unknown line. */
export function explainLine({ event }: LogLine): string {
  return event === null ? '' : caseOf(EVENT_TEXT, 'event', event);
}

const EVENT_TEXT: Cases<'event', NonNullable<LogLine['event']>> = {
  'loader-error': explainLoaderError,
  'btf-header': (event) => `The kernel reads the BTF header: ${event.field} is ${event.value}.`,
  'btf-type': (event) => `The kernel has read type ${event.typeId}.`,
  'btf-item': () => 'An item of the type in the line above.',
  'btf-error': explainBtfError,
  spec: (event) => `libbpf resolves this relocation: ${asks(event.spec)}.`,
  candidate: (event) =>
    event.matches
      ? `Type ${event.spec.typeId} of the kernel matches: ${place(event.spec)}.`
      : `Type ${event.spec.typeId} of the kernel has the right name but does not match: the search reached ${place(event.spec)}.`,
  'found-candidate': (event) =>
    `For ${named(event.local)} the kernel's ${named(event.target)} in ${event.module} may be the intended type.`,
  'no-match': () =>
    'No type of the kernel matches. An existence check gives 0; a load or a value is made invalid.',
  patched: (event) =>
    event.from === event.to
      ? `Instruction ${event.insnIndex} stays as it is: the kernel has the same ${fieldWords(event.field)}, ${event.to}.`
      : `Instruction ${event.insnIndex} is changed: its ${fieldWords(event.field)} was ${event.from} and is ${event.to} for this kernel.`,
  poisoned: (event) =>
    `Instruction ${event.insnIndex} becomes a call that the verifier rejects. This matters only if the instruction is reachable.`,
  'unexpected-insn': (event) =>
    `Instruction ${event.insnIndex} holds ${event.got}, but by the object's own types it should hold ${event.expected}: relocation and code do not match, and the object is rejected.`,
  'offset-ambiguity': (event) =>
    `Two types of the kernel match, with the field at bit ${event.one} in one and at bit ${event.other} in the other. libbpf does not choose one, and the object is rejected.`,
  'value-ambiguity': (event) =>
    `Two types of the kernel match and give different results, ${decision(event.one)} and ${decision(event.other)}. libbpf does not choose one, and the object is rejected.`,
  'parse-failed': (event) =>
    `The access string '${event.accessStr}' cannot be followed through the object's own ${named(event.type)}${event.accessStr.startsWith('4294967295') ? ': it begins with -1, an element before the pointer' : ''}.`,
  'bitfield-unsatisfied': (event) =>
    `The bit-field that instruction ${event.sectionInsnIndex} of the section accesses does not fit any aligned load of up to 8 bytes.`,
  'array-access-unsatisfied': (event) =>
    `Instruction ${event.sectionInsnIndex} of the section needs the sign or a shift of an array element, which has none: the object is rejected.`,
  'wrong-access': (event) =>
    `Instruction ${event.insnIndex} loads or stores a field whose size differs in the kernel, and whose type does not allow a wider or narrower access: only pointers and unsigned integers do. The instruction is made invalid.`,
  'unexpected-mem-size': (event) =>
    `Instruction ${event.insnIndex} accesses ${event.got} bytes, but the field has ${event.expected} in the object's own types.`,
  'value-too-big': (event) =>
    `The field lies at byte ${event.value} in the kernel, too far for the 16-bit offset of instruction ${event.insnIndex}.`,
  'unrecognized-insn': (event) =>
    `Instruction ${event.insnIndex}, opcode 0x${event.opcode.toString(16)}, has a class that no relocation can change.`,
  'unexpected-kind': (event) =>
    `type_matches met a ${event.typeKind}, which it cannot compare: types ${event.local} and ${event.target} count as different.`,
  'search-failed': (event) =>
    `libbpf could not search the kernel's types for ${named(event.type)}.`,
  'relocation-failed': (event) =>
    `The relocation failed with error ${event.errno}; the lines before give the reason.`,
  'load-failed': explainLoadFailure,
  'no-kernel-btf': () =>
    'The kernel’s own BTF was not found or could not be read, so that no CO-RE relocation can be resolved.',
  'no-attach-type': ({ name, error }) =>
    `The kernel’s BTF has no function or hook named ${name}, which the program attaches to: error ${error}. The kernel was built without it, the compiler inlined it, or it is in a module that is not loaded.`,
  'core-count': ({ section, count }) =>
    `Section ${section} of the object has ${counted(count, 'CO-RE relocation')}; libbpf resolves them next.`,
  opening: ({ what }) => `libbpf opens the object ${what}.`,
  'kernel-btf': ({ path, error }) =>
    error === '0'
      ? `libbpf reads the kernel’s types from ${path}: CO-RE relocations are resolved against them.`
      : `libbpf could not read the kernel’s types from ${path}: error ${error}.`,
  unresolved: (event) =>
    `The program reaches code that this kernel does not support: ${asks(event.spec)}, and the kernel does not have it.`,
  'invalid-func': (event) =>
    event.poison
      ? 'The program reaches an instruction that was made invalid: 195896080 is 0x0bad2310, “bad relo”, the mark of a CO-RE relocation without a match in this kernel. The instruction before it names the relocation.'
      : `The program calls helper ${event.func}, which this kernel does not have.`,
  'poisoned-call': (event) =>
    `Instruction ${event.insnIndex} was made invalid because its CO-RE relocation has no match in this kernel (195896080 is 0x0bad2310, “bad relo”).`,
  'invalid-core': (event) =>
    `Instruction ${event.insnIndex} was made invalid because its CO-RE relocation has no match in this kernel; the next line names it.`,
  insn: (event) => `Instruction ${event.insnIndex}: ${event.text}`,
  source: (event) =>
    event.line === null
      ? 'A line of the program’s source.'
      : `Line ${event.line} of ${event.file}.`,
  processed: (event) => `The verifier checked ${event.insns} instructions.`,
  'register-type': (event) =>
    `Register ${event.register} holds ${event.type}, but the call expects ${event.expected}.`,
  'register-access': (event) =>
    event.message.startsWith('!read_ok')
      ? `Register ${event.register} is read before anything was written to it.`
      : `The verifier rejects the use of register ${event.register}: ${event.message}.`,
  'packet-access': (event) => {
    const proved =
      event.range === null
        ? ''
        : `, but the checks before it prove only ${counted(event.range, 'byte')}`;
    return `The program accesses ${counted(event.size, 'byte')} of the packet through register ${event.register}${proved}: compare the packet pointer with data_end first. The source lines of line_info before it show which statement this is.`;
  },
  failure: ({ sentence }) => sentence || UNKNOWN_FAILURE,
  information: ({ sentence }) => sentence,
  verdict: explainVerdict,
  'log-mark': (event) => `The verifier’s log ${event.begins ? 'begins' : 'ends'} here.`,
};

/** Returns a sentence on a program or object that was not loaded, with what its error means. */
function explainLoadFailure({ what, errno }: Extract<CoreEvent, { event: 'load-failed' }>): string {
  if (what === 'log') return 'The verifier’s log of the program begins or ends here.';
  const error = errnoIn(errno ?? '');
  const text = error === null ? (errno ?? '') : errnoText(error);
  const help = what === 'program' ? PROG_LOAD[error?.name ?? ''] : undefined;
  const meaning = help ?? 'Other lines, of the loader or the verifier, give the reason.';
  return `The ${what} was not loaded${text === '' ? '' : `: ${text}`}. ${meaning}`;
}

/** Returns the sentence of a refusal, with that of the verifier's own words. */
function explainVerdict({ sentence, verifierText }: RowEvent): string {
  if (verifierText === null) return sentence;
  const event = readVerifierLine(verifierText)?.event ?? null;
  const meaning = event === null ? '' : caseOf(EVENT_TEXT, 'event', event);
  return `${sentence} The verifier says “${verifierText}”${meaning === '' ? '.' : `: ${meaning}`}`;
}

/** Returns what a relocation asks for: `byte_off of a.b in struct foo`. */
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
  return `${what}, at ${bitPlace(spec.bitOffset)}`;
}

/** Returns a path as text: `a.b[2]`. */
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

/** Returns a sentence for an error of cilium/ebpf or aya. Names are raw text. */
function explainLoaderError(event: LoaderEvent): string {
  const type = typeWords(event);
  const member = event.memberName === null ? 'a field' : `the field ${event.memberName}`;
  const kind = event.kind === null ? '' : ` (${coreKind(event.kind)?.name})`;
  const insn = event.insnIndex === null ? 'An instruction' : `Instruction ${event.insnIndex}`;
  const texts: Readonly<Record<LoaderEvent['reason'], string>> = {
    poisoned:
      'The program reaches an instruction that was made invalid, since its CO-RE relocation has no match in this kernel.',
    'no-member': `The kernel’s ${type} does not have ${member} that the program needs${kind}.`,
    'no-type':
      event.insnIndex === null
        ? `The kernel has no ${type} that the program needs${kind}.`
        : `${insn} needs ${type} of the object${kind}, for which the kernel has no type.`,
    ambiguous: `The kernel has more than one ${type}, with different results: the loader does not choose one.`,
    incompatible: `The kernel’s ${type} is of another kind than in the program${kind}.`,
    'bad-access': `The access string${event.accessStr === null ? '' : ` ${event.accessStr}`} cannot be followed through the object’s own types: the object or its BTF is damaged, or the loader too old for it.`,
    'bad-insn': `${insn} does not contain the value its relocation implies: code and BTF do not match.`,
    'no-btf':
      'The loader found no BTF of the kernel, or none that it can read, so that no CO-RE relocation can be resolved.',
    'byte-order': 'The object and the BTF that it is resolved against differ in byte order.',
    'no-program': 'The object has relocations for a program unknown to the loader.',
    other: `The loader could not resolve the program’s CO-RE relocations: ${event.message}.`,
  };
  return texts[event.reason];
}

function typeWords({ type }: LoaderEvent): string {
  if (type === null) return 'type';
  if (type.typeName === '') return `type ${type.typeId ?? ''}`.trim();
  return `${type.typeKind} ${type.typeName}`.trim();
}
