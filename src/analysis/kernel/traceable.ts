/**
 * Whether a kernel lets programs be attached to one of its functions, and why not. Source:
 * kernel/bpf/verifier.c: bpf_check_attach_target, check_attach_btf_id; kernel/bpf/bpf_lsm.c;
 * arch_prepare_bpf_trampoline of each machine; Linux 5.10 to 7.1.
 */
import { deniedFunction, noReturnFunction } from './attach-lists.ts';
import type { DependsOn } from './dependency.ts';
import { type FuncModel, type ModelRule, modelFault } from './func-model.ts';
import { addressOf } from './kallsyms.ts';
import type { LoadKernel } from './kernel.ts';
import { hasAttachType } from './kernel-enums.ts';
import { disabledBy, disabledHook, isSleepableHook } from './lsm-hooks.ts';
import { isSyscallName, machineOf } from './machine.ts';
import { trampolineFault } from './trampolines.ts';
import { isSince } from './version.ts';

/** Rule because of which a function cannot be traced. */
export type TraceRule =
  | ModelRule
  | 'absent'
  | 'attach type'
  | 'address'
  | 'sleepable'
  | 'modifiable'
  | 'disabled hook'
  | 'deny list'
  | 'noreturn'
  | 'trampoline';

export type TraceFault = DependsOn & {
  readonly rule: TraceRule;
  /** `load`: BPF_PROG_LOAD refuses the program. `attach`: it loads, and cannot be attached. */
  readonly when: 'load' | 'attach';
  /** The reason as one sentence; names are raw text. */
  readonly text: string;
  /** The kernel's log line, exactly; null if it prints none, or if the line is not known. */
  readonly line: string | null;
  /** False if it depends on what is not known of the kernel. */
  readonly isSure: boolean;
};

/** A function of the kernel. */
export type TracedFunction = {
  readonly name: string;
  /** Its arguments and result; null if they are not known. */
  readonly model: FuncModel | null;
  /** Id of the FUNC in the BTF of the kernel or module; null if it is not known. */
  readonly btfId: number | null;
};

/** Kinds of programs that are attached to a function by a trampoline, without `.s`. */
const ATTACH_TYPES: Readonly<Record<string, string>> = {
  fentry: 'BPF_TRACE_FENTRY',
  fexit: 'BPF_TRACE_FEXIT',
  fmod_ret: 'BPF_MODIFY_RETURN',
  fsession: 'BPF_TRACE_FSESSION',
  lsm: 'BPF_LSM_MAC',
  lsm_cgroup: 'BPF_LSM_CGROUP',
  iter: 'BPF_TRACE_ITER',
};

/**
 * Returns why a kernel refuses programs of `kind` (as `fentry.s`) on a function, in the order in
 * which it meets the reasons; empty if nothing is known against it.
 */
export function traceFaults(
  kind: string,
  func: TracedFunction,
  kernel: LoadKernel,
): readonly TraceFault[] {
  const isSleepable = kind.endsWith('.s');
  const base = isSleepable ? kind.slice(0, -2) : kind;
  const attachType = ATTACH_TYPES[base];
  if (attachType === undefined) return [];
  const { name, model, btfId } = func;
  const faults = [
    typeFault(attachType, kernel),
    model === null ? null : protoFault(name, model, kernel),
  ];
  if (base === 'iter') return faults.filter((fault) => fault !== null);
  faults.push(addressFault(name, kernel));
  if (base.startsWith('lsm')) {
    if (isSleepable) faults.push(sleepableFault(name, isSleepableHook(name)));
    faults.push(hookFault(name, btfId, kernel));
  } else {
    const canChange = isSyscallName(name, kernel) && hasErrorInjection(kernel);
    if (isSleepable) faults.push(sleepableFault(name, canChange));
    else if (base === 'fmod_ret') faults.push(modifiableFault(name, canChange));
    faults.push(listFault(base, name, kernel));
  }
  faults.push(model === null ? null : attachFault(model, kernel));
  return faults.filter((fault) => fault !== null);
}

const MODEL_TEXTS: Readonly<Record<ModelRule, string>> = {
  many: 'has more arguments than the kernel passes to a program',
  ret: 'returns a struct or union, or a type that the kernel does not pass to a program',
  variadic: 'has variable arguments',
  arg: 'has an argument by value that the kernel does not pass to a program',
  void: 'has an argument without a size',
};

/** Returns the prototype's fault as a reason. A call of a kfunc is refused for the same. */
export function protoFault(name: string, model: FuncModel, kernel: LoadKernel): TraceFault | null {
  const fault = modelFault(name, model, kernel);
  if (fault === null) return null;
  const { rule, line, isSure, dependsOn } = fault;
  const text = `${name} ${MODEL_TEXTS[rule]}.${isSure ? '' : ' The version of the kernel decides.'}`;
  return { rule, when: 'load', text, line, isSure, dependsOn };
}

function typeFault(attachType: string, kernel: LoadKernel): TraceFault | null {
  const base = { rule: 'attach type', when: 'load', line: null } as const;
  const isNew = attachType === 'BPF_TRACE_FSESSION';
  const has = hasAttachType(kernel, attachType) ?? (isNew ? isSince(kernel, '7.0') : true);
  if (has === false) {
    return { ...base, text: `The kernel has no attach type ${attachType}.`, isSure: true };
  }
  if (has === null) {
    const text = `The attach type ${attachType} came with Linux 7.0.`;
    return { ...base, text, isSure: false, dependsOn: 'release' };
  }
  // The JIT of x86-64 has it since the attach type is there.
  if (!isNew || machineOf(kernel)?.name === 'x86-64') return null;
  const text = 'The JIT of the machine must support fsession.';
  return { ...base, text, line: 'JIT does not support fsession', isSure: false };
}

function addressFault(name: string, kernel: LoadKernel): TraceFault | null {
  const address = addressOf(name, kernel);
  if (address?.is !== 'absent') return null;
  const line = `The address of function ${name} cannot be found`;
  return {
    rule: 'address',
    when: 'load',
    text: absentText(name, address.copies),
    line,
    isSure: true,
  };
}

/** Returns a sentence about a function that /proc/kallsyms lacks. */
export function absentText(name: string, copies: readonly string[]): string {
  return copies.length === 0
    ? `/proc/kallsyms has no ${name}: it is inlined, or not in this kernel.`
    : `/proc/kallsyms has ${name} only as ${copies.join(', ')}.`;
}

function sleepableFault(name: string, isKnown: boolean): TraceFault | null {
  if (isKnown) return null;
  const text = `A sleepable program needs a function of the error injection list, or of a set of the kernel. BTF has neither.`;
  const line = `${name} is not sleepable`;
  return { rule: 'sleepable', when: 'load', text, line, isSure: false };
}

function modifiableFault(name: string, isKnown: boolean): TraceFault | null {
  if (isKnown || name.startsWith('security_')) return null;
  const text = `fmod_ret needs a function of the error injection list, or of a set of the kernel. BTF has neither.`;
  const line = `${name}() is not modifiable`;
  return { rule: 'modifiable', when: 'load', text, line, isSure: false };
}

/** Returns true if the configuration tells that the kernel has an error injection list. */
function hasErrorInjection({ config }: LoadKernel): boolean {
  return (
    config !== null && config !== 'none' && /^CONFIG_FUNCTION_ERROR_INJECTION=y$/m.test(config.text)
  );
}

function hookFault(name: string, btfId: number | null, kernel: LoadKernel): TraceFault | null {
  const isDisabled = disabledHook(name, kernel);
  if (isDisabled === false) return null;
  const text = `The kernel lets no program use the hook ${name}.`;
  const line = btfId === null ? null : `attach_btf_id ${btfId} points to disabled hook ${name}`;
  const isSure = isDisabled === true;
  return { rule: 'disabled hook', when: 'load', text, line, isSure, ...disabledBy(kernel) };
}

function listFault(base: string, name: string, kernel: LoadKernel): TraceFault | null {
  const denied = deniedFunction(name, kernel);
  const fault = denied ?? (base === 'fentry' ? null : noReturnFunction(name, kernel));
  if (fault === null) return null;
  const text =
    fault.rule === 'deny list'
      ? `The kernel lets no program trace ${name}.`
      : `${name} does not return, so that ${base} programs would never end.`;
  const update = fault.isSure ? '' : ' The version and update of the kernel decide.';
  return { ...fault, when: 'load', text: `${text}${update}` };
}

function attachFault(model: FuncModel, kernel: LoadKernel): TraceFault | null {
  const fault = trampolineFault(model, kernel);
  if (fault === null) return null;
  const text = `Loads, but ${fault.isSure ? 'cannot' : 'may not'} be attached: ${fault.text}`;
  return { ...fault, rule: 'trampoline', when: 'attach', text, line: null };
}
