/**
 * What the trampolines of a machine cannot pass, which attaching a program finds out (-ENOTSUPP).
 * Source: arch_prepare_bpf_trampoline of arch/x86 and arch/arm64 in Linux 5.10 to 6.18.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { byVersion, type DependsOn } from './dependency.ts';
import type { FuncModel } from './func-model.ts';
import type { LoadKernel } from './kernel.ts';
import { machineOf } from './machine.ts';
import { isSince, type Version } from './version.ts';

/** Why a program that loads cannot be attached. */
export type TrampolineFault = DependsOn & { readonly text: string; readonly isSure: boolean };

/** First version with trampolines, for machines whose rules on arguments are not known. */
const FIRST: Readonly<Record<string, Version>> = {
  riscv: '6.3',
  s390: '6.3',
  powerpc: '6.13',
  loongarch: '6.17',
};

/** Arguments that x86-64 passes in registers. */
const X86_REGISTERS = 6;
const ARM64_REGISTERS = 8;

/** Returns why a trampoline cannot call a program for a function; null if nothing is known. */
export function trampolineFault(model: FuncModel, kernel: LoadKernel): TrampolineFault | null {
  const machine = machineOf(kernel)?.name ?? '';
  if (machine === 'x86-64') return onX86(model, kernel);
  if (machine === 'arm64') return onArm64(model, kernel);
  const first = FIRST[machine];
  return first === undefined || isSince(kernel, first) !== false
    ? null
    : { text: `${machine} has no trampolines for programs before ${first}.`, isSure: false };
}

function onX86(model: FuncModel, kernel: LoadKernel): TrampolineFault | null {
  const isNew = isSince(kernel, '6.6');
  if (isNew === true || registersOf(model) <= X86_REGISTERS) return null;
  const text = 'x86-64 passes at most 6 registers of arguments before 6.6.';
  return { text, isSure: isNew === false, ...byVersion(kernel, '6.6') };
}

function onArm64(model: FuncModel, kernel: LoadKernel): TrampolineFault | null {
  const canAttach = isSince(kernel, '6.4');
  if (canAttach !== true) {
    const text = 'arm64 has no direct calls of ftrace before 6.4.';
    return { text, isSure: canAttach === false, ...byVersion(kernel, '6.4') };
  }
  if (registersOf(model) <= ARM64_REGISTERS || isSince(kernel, '6.18') === true) return null;
  // Linux 6.6 passes 8 registers, 6.18 twelve; the versions between were not read.
  const text = 'arm64 passes at most 8 registers of arguments before 6.18.';
  return { text, isSure: isSince(kernel, '6.7') === false, ...byVersion(kernel, '6.7', '6.18') };
}

/** Returns the number of 8-byte registers of all arguments. */
function registersOf({ params }: FuncModel): number {
  return params.reduce((sum, { kind, size }) => {
    return sum + (kind === BtfKind.PTR || size === null ? 1 : Math.max(1, Math.ceil(size / 8)));
  }, 0);
}
