/** Which kinds of programs can be attached to a function, event or hook of a kernel, by its name. */
import { inlineSites } from '#analysis/types/inline-sites.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { funcModel } from './func-model.ts';
import { addressOf } from './kallsyms.ts';
import { findInKernel, type KernelType, type LoadKernel } from './kernel.ts';
import { hasAttachType } from './kernel-enums.ts';
import { nameOfOtherMachine } from './machine.ts';
import { absentText, type TracedFunction, type TraceFault, traceFaults } from './traceable.ts';
import { isSince } from './version.ts';

export type AttachAnswer = 'traceable' | 'refused' | 'undecided';

export type AttachPoint = {
  /** Kind of program, as in a section name: `fentry.s`. */
  readonly kind: string;
  readonly answer: AttachAnswer;
  /** What is against it, in the order in which libbpf and the kernel meet it. */
  readonly reasons: readonly TraceFault[];
};

/** Where a kind of program is attached: a type of this kind and prefix in the kernel's BTF. */
type Target = { readonly btfKind: number; readonly prefix: string };

const FUNCTION: Target = { btfKind: BtfKind.FUNC, prefix: '' };
const EVENT: Target = { btfKind: BtfKind.TYPEDEF, prefix: 'btf_trace_' };
const HOOK: Target = { btfKind: BtfKind.FUNC, prefix: 'bpf_lsm_' };
const ITERATOR: Target = { btfKind: BtfKind.FUNC, prefix: 'bpf_iter_' };

const TARGETS: ReadonlyMap<string, Target> = new Map([
  ...['fentry', 'fentry.s', 'fexit', 'fmod_ret', 'fsession', 'kprobe', 'kprobe.multi'].map(
    (kind) => [kind, FUNCTION] as const,
  ),
  ['tp_btf', EVENT],
  ['raw_tp', EVENT],
  ['lsm', HOOK],
  ['lsm.s', HOOK],
  ['iter', ITERATOR],
]);

/** Returns the kinds of programs whose target a name is in one of the kernels; else of functions. */
export function attachKinds(name: string, kernels: readonly LoadKernel[]): readonly string[] {
  const kinds = [...TARGETS.keys()];
  const known = kinds.filter((kind) => kernels.some((kernel) => targetOf(kind, name, kernel)));
  return known.length > 0 ? known : kinds.filter((kind) => TARGETS.get(kind) === FUNCTION);
}

function targetOf(kind: string, name: string, kernel: LoadKernel): KernelType | null {
  const { btfKind, prefix } = TARGETS.get(kind) ?? FUNCTION;
  return findInKernel(kernel, btfKind, `${prefix}${name}`);
}

/** Returns the kinds of programs that are attached to a function, a hook or iterator included. */
export function kindsOfFunction(name: string): readonly string[] {
  return Array.from(TARGETS)
    .filter(([, { btfKind, prefix }]) => btfKind === BtfKind.FUNC && name.startsWith(prefix))
    .map(([kind]) => kind);
}

/** Returns whether programs of a kind can be attached to a name on a kernel, and why not. */
export function attachPoint(kind: string, name: string, kernel: LoadKernel): AttachPoint {
  return answered(kind, reasonsOf(kind, name, kernel));
}

/** Returns whether programs of a kind can be attached to a function that a kernel has. */
export function functionPoint(kind: string, func: TracedFunction, kernel: LoadKernel): AttachPoint {
  const reasons = kind.startsWith('kprobe')
    ? kprobeFaults(kind, func.name, kernel)
    : traceFaults(kind, func, kernel);
  return answered(kind, reasons);
}

function answered(kind: string, reasons: readonly TraceFault[]): AttachPoint {
  const answer = reasons.some(({ isSure }) => isSure)
    ? 'refused'
    : reasons.length > 0
      ? 'undecided'
      : 'traceable';
  return { kind, answer, reasons };
}

function reasonsOf(kind: string, name: string, kernel: LoadKernel): readonly TraceFault[] {
  if (kind.startsWith('kprobe')) return kprobeFaults(kind, name, kernel);
  const target = targetOf(kind, name, kernel);
  if (target === null) return [absentFault(kind, name, kernel)];
  const { types, id } = target;
  const model = funcModel(types, typeId(sizeOrTypeOf(types, id)));
  return traceFaults(kind, { name: nameOf(types, id), model, btfId: id }, kernel);
}

function absentFault(kind: string, name: string, kernel: LoadKernel): TraceFault {
  const { prefix } = TARGETS.get(kind) ?? FUNCTION;
  const other = nameOfOtherMachine(name, kernel);
  const isSure = other !== null || kernel.modules !== null;
  const module = isSure ? '' : ' A module that is loaded may have it.';
  const text = other ?? `The BTF of the kernel has no ${prefix}${name}.${module}`;
  return { rule: 'absent', when: 'load', text, line: null, isSure, dependsOn: 'modules' };
}

/** A kprobe is attached by name, which only `/proc/kallsyms` tells. */
function kprobeFaults(kind: string, name: string, kernel: LoadKernel): readonly TraceFault[] {
  const base = { when: 'attach', line: null } as const;
  const faults: TraceFault[] = [];
  const hasMulti = hasAttachType(kernel, 'BPF_TRACE_KPROBE_MULTI') ?? isSince(kernel, '5.18');
  if (kind === 'kprobe.multi' && hasMulti === false) {
    const text = 'The kernel has no attach type BPF_TRACE_KPROBE_MULTI.';
    faults.push({ ...base, rule: 'attach type', text, isSure: true });
  }
  const address = addressOf(name, kernel);
  if (address?.is === 'absent') {
    const text = absentText(name, address.copies);
    faults.push({ ...base, rule: 'address', text, isSure: true });
  } else if (address === null) {
    const other = nameOfOtherMachine(name, kernel);
    const text = other ?? `It needs an address of ${name} in /proc/kallsyms, which is not known.`;
    faults.push({ ...base, rule: 'address', text, isSure: other !== null, dependsOn: 'kallsyms' });
  }
  return faults;
}

/** Number of inlined calls of each function, by the id of its FUNC. */
const inlinedCalls = memoized((t: TypeTable): ReadonlyMap<TypeId, number> => {
  const counts = new Map<TypeId, number>();
  for (const { func } of inlineSites(t)) counts.set(func, (counts.get(func) ?? 0) + 1);
  return counts;
});

/** A function, hook or event as a kernel has it. */
export type AttachTarget = {
  readonly types: TypeTable;
  /** FUNC_PROTO of the function, or of the event with its first parameter `__data`. */
  readonly proto: TypeId;
  /** Name in the BTF. */
  readonly name: string;
  /** Module that has it; null for vmlinux. */
  readonly module: string | null;
  /** Number of calls that are inlined, which no program sees; 0 if BTF tells none. */
  readonly inlined: number;
};

/** Returns what a name is in a kernel, a function before a hook, iterator and event, or null. */
export function attachTarget(name: string, kernel: LoadKernel): AttachTarget | null {
  for (const { btfKind, prefix } of [FUNCTION, HOOK, ITERATOR, EVENT]) {
    const found = findInKernel(kernel, btfKind, `${prefix}${name}`);
    if (found === null) continue;
    const { types, id, module } = found;
    const of = typeId(sizeOrTypeOf(types, id));
    const proto = btfKind === BtfKind.FUNC ? of : typeId(sizeOrTypeOf(types, of));
    const inlined = inlinedCalls(types).get(id) ?? 0;
    return { types, proto, name: nameOf(types, id), module, inlined };
  }
  return null;
}
